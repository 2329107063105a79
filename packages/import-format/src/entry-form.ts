import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { EntryRecordSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { RecordFormatError } from "./json/record-from-json.ts";
import { protobufForm } from "./record-form.ts";
import type { RecordForm } from "./record-form.ts";

/** A change's `changeType` in the import format, as the changelog returns it, and in protobuf's JSON. */
const changeTypes = new Map(
  (["insert", "update", "delete"] as const).map((word) => [
    word as JsonValue | undefined,
    `CHANGE_TYPE_${word.toUpperCase()}`,
  ]),
);
const words = new Map([...changeTypes].map(([word, name]) => [name as JsonValue, word]));

const inProtobuf = protobufForm(EntryRecordSchema);

/**
 * Entries of the changelog, in the form in which it returns them; those of an export may also have the
 * identity of their record (`key`).
 */
export const entryForm: RecordForm = {
  read: (json) => inProtobuf.read(withChanges(json, readChange)),
  write: (record) => withChanges(inProtobuf.write(record), writeChange),
};

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
