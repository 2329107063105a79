import { createRegistry, fromBinary, toJson } from "@bufbuild/protobuf";
import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { anyUnpack, timestampDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Database } from "@storefront/database";
import { recordFromJson, recordToJson } from "@storefront/import-format";
import { readFile } from "node:fs/promises";
import type { Observation } from "../src/apply/apply-observation.ts";
import { storedRecords } from "../src/stream/stored-records.ts";
import { offerDetailsKind, offerKind, rankingKind } from "./kinds.ts";

/** The tables of a service's first migration, and those of the kinds. */
const tables = ["../../change-feed/sql/log.sql", "../sql/records.sql", "kinds.sql"];

/** Creates the schema `test`, as for a service of these kinds. */
export async function createTables(database: Database): Promise<void> {
  const read = async (path: string) => await readFile(new URL(path, import.meta.url), "utf8");
  const sql = (await Promise.all(tables.map(read))).join("\n");
  await database.transaction((tx) =>
    tx.script(`create schema test; set local search_path to test; ${sql}`),
  );
}

const schemas: Record<string, DescMessage> = Object.fromEntries(
  [offerKind, rankingKind, offerDetailsKind].map(({ name, schema }) => [name, schema]),
);
const registry = createRegistry(...Object.values(schemas));

/** An observation of the given minute of an hour. */
export function seen(minute: number, kind: string, json: JsonObject): Observation {
  const { record } = recordFromJson(schemaOf(kind), json);
  return { kind, operation: "upsert", observedAt: at(minute), record };
}

/** An observation, at the given minute, that the record was deleted. */
export function deleted(minute: number, kind: string, identity: JsonObject): Observation {
  const schema = schemaOf(kind);
  return {
    kind,
    operation: "delete",
    observedAt: at(minute),
    record: recordFromJson(schema, identity, { only: Object.keys(identity) }).record,
  };
}

/** The minute's instant. */
export function at(minute: number): Date {
  return new Date(Date.UTC(2021, 0, 1, 12, minute));
}

/** The only stored record of a kind and when it was last seen; undefined when there is none. */
export async function stored(
  database: Database,
  kind: typeof offerKind | typeof rankingKind | typeof offerDetailsKind,
): Promise<{ json: JsonObject; observedAt: Date } | undefined> {
  const [row] = await Array.fromAsync(storedRecords(database, kind));
  if (row === undefined) return undefined;
  const json = recordToJson(kind.schema, fromBinary(schemaOf(kind.name), row.bytes));
  return { json, observedAt: row.observedAt };
}

/** A log entry, decoded. */
export interface ReadEntry {
  readonly kind: string;
  readonly key: readonly string[];
  readonly namespace: string;
  readonly observedAt: Date;
  /** `INSERT title - "A"`: change, member, old and new value. */
  readonly changes: readonly string[];
  readonly record: JsonObject | undefined;
}

/** The log, oldest first. */
export async function readLog(database: Database): Promise<ReadEntry[]> {
  const rows = await database.read<{ entry: Uint8Array; kind: string; observed_at: Date }>(
    "select entry, kind, observed_at from test.change_log order by seq",
  );
  return rows.map(({ entry }) => {
    const { kind, key, namespace, observedAt, changes, record } = fromBinary(
      FeedEntrySchema,
      entry,
    );
    const message = record && anyUnpack(record, registry);
    return {
      kind,
      key,
      namespace,
      observedAt: observedAt === undefined ? new Date(0) : timestampDate(observedAt),
      changes: changes.map(
        ({ changeType, field, oldValue, newValue }) =>
          `${changeWords[changeType]} ${field} ${textOf(oldValue)} ${textOf(newValue)}`,
      ),
      record: message && recordToJson(schemaOf(kind), message),
    };
  });
}

const changeWords: Record<ChangeType, string> = {
  [ChangeType.UNSPECIFIED]: "?",
  [ChangeType.INSERT]: "INSERT",
  [ChangeType.UPDATE]: "UPDATE",
  [ChangeType.DELETE]: "DELETE",
};

function textOf(value: Value | undefined): string {
  return value === undefined ? "-" : JSON.stringify(toJson(ValueSchema, value));
}

function schemaOf(kind: string): DescMessage {
  const schema = schemas[kind];
  if (schema === undefined) throw new TypeError(`no kind ${kind}`);
  return schema;
}
