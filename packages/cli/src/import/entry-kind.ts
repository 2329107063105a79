import { isMessage, toJson } from "@bufbuild/protobuf";
import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { EntryRecordSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntryRecord } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { RecordFormatError } from "@storefront/ingest";
import type { KindOf } from "./ingest-service.ts";
import { readMessage } from "./protobuf-kind.ts";

/** A change's `changeType` in the import format, as the changelog answers it, and in protobuf's JSON. */
const changeTypes = new Map(
  (["insert", "update", "delete"] as const).map((word) => [
    word as JsonValue | undefined,
    `CHANGE_TYPE_${word.toUpperCase()}`,
  ]),
);
const words = new Map([...changeTypes].map(([word, name]) => [name as JsonValue, word]));

/**
 * Entries of the changelog, in the form in which it answers them; those of an export may have the
 * identity of their record (`key`) too.
 *
 * @param wrap puts an entry into the oneof of its service's observations.
 */
export function entryKind<RecordCase>(
  wrap: (record: EntryRecord) => RecordCase,
): KindOf<RecordCase> {
  return {
    schema: EntryRecordSchema,
    read: (json) => ({
      record: wrap(readMessage(EntryRecordSchema, withChanges(json, readChange))),
      unknownMembers: 0,
    }),
    write(record) {
      if (!isMessage(record, EntryRecordSchema)) throw new TypeError("this is no entry");
      return withChanges(toJson(EntryRecordSchema, record) as JsonObject, writeChange);
    },
  };
}

function withChanges(
  json: JsonObject,
  convert: (change: JsonObject, index: number) => JsonObject,
): JsonObject {
  const { changes = [] } = json;
  if (!Array.isArray(changes)) throw new RecordFormatError("", "changes", "must be a list");
  const converted = changes.map((change, index) => {
    if (typeof change === "object" && change !== null && !Array.isArray(change)) {
      return convert(change, index);
    }
    throw new RecordFormatError("", `changes[${index}]`, "must be an object");
  });
  return { ...json, changes: converted };
}

function readChange(change: JsonObject, index: number): JsonObject {
  const name = changeTypes.get(change["changeType"]);
  if (name !== undefined) return { ...change, changeType: name };
  const rule = "must be insert, update or delete";
  throw new RecordFormatError("", `changes[${index}].changeType`, rule);
}

function writeChange(change: JsonObject): JsonObject {
  return { ...change, changeType: words.get(change["changeType"] ?? null) ?? null };
}
