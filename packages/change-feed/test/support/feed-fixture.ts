import { readFile } from "node:fs/promises";
import { openDatabase } from "@storefront/database";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, DatabaseOptions, Transaction } from "@storefront/database";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { lockWriters } from "@storefront/database";
import { serve } from "@storefront/rpc";
import type { ProvidedService, RunningServer } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/process";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { appendToLog } from "../../src/index.ts";
import type { CurrentRecords, RecordsWithPast } from "../../src/index.ts";

const [log, follower] = await Promise.all(
  ["log", "follower"].map((name) =>
    readFile(new URL(`../../sql/${name}.sql`, import.meta.url), "utf8"),
  ),
);

export const logger = createLogger({ service: "test", level: "silent" });

/** Opens a database with an owner's log in schema `owner` and a consumer's tables in `consumer`. */
export async function openFeedDatabase(options: DatabaseOptions): Promise<Database> {
  const database = await openDatabase(options);
  await makeTables(database, "owner", log ?? "");
  await makeTables(
    database,
    "consumer",
    `${follower ?? ""}
    create table applied (
      place bigint generated always as identity primary key, sequence bigint not null, key text not null);`,
  );
  return database;
}

/** Does nothing if the schema exists. */
async function makeTables(database: Database, schema: string, sql: string): Promise<void> {
  await database.transaction(async (tx) => {
    const [known] = await tx.read("select from pg_namespace where nspname = $1", [schema]);
    if (known !== undefined) return;
    await tx.script(`create schema ${schema}; set local search_path to ${schema}; ${sql}`);
  });
}

/**
 * The owner's log for `provideFeed`. Its current records are the last entry of each key, of the kinds in
 * `kinds`; with their past there is also a deletion.
 *
 * @param onRead called when records after a key were read, before they are sent
 */
export function ownerLog(
  database: Database,
  onRead: (after: string) => Promise<void> = () => Promise.resolve(),
) {
  const sql = `
    select kind, key, entry from owner.change_log
    where seq in (select max(seq) from owner.change_log group by kind, key)
      and ($1::text[] is null or kind = any($1)) and key[1] collate "C" > $2
    order by kind collate "C", key[1] collate "C"`;
  const records: CurrentRecords = async function* read(kinds, [after = ""] = []) {
    const rows = await database.read<{ kind: string; key: string[]; entry: Uint8Array }>(sql, [
      kinds ?? null,
      after,
    ]);
    await onRead(after);
    for (const { kind, key, entry } of rows) {
      const { record } = fromBinary(FeedEntrySchema, entry);
      if (record !== undefined)
        yield { ...sandboxEntry(key[0] ?? "", kind), changes: [], record: recordOf(record.value) };
    }
  };
  const recordsWithPast: RecordsWithPast = async function* read(kinds, { sequence }) {
    yield* records(kinds);
    yield { ...sandboxEntry(`gone before ${sequence}`), changes: [], record: undefined };
  };
  return { database, schema: "owner", records, recordsWithPast } as const;
}

/** A log entry of a sandbox, or of another kind with the same record. */
export function sandboxEntry(id: string, kind = "sandbox", title = id) {
  return {
    kind,
    key: [id],
    namespace: id,
    observedAt: new Date(1_600_000_000_000),
    changes: [{ changeType: ChangeType.INSERT, type: "object", field: "*" }],
    record: recordOf(toBinary(SandboxSchema, create(SandboxSchema, { id, title }))),
  };
}

function recordOf(bytes: Uint8Array) {
  return { schema: SandboxSchema, bytes };
}

/** Commits entries to the owner's log in one transaction. */
export async function append(
  database: Database,
  entries: readonly ReturnType<typeof sandboxEntry>[],
): Promise<void> {
  await database.transaction(async (tx) => {
    await lockWriters(tx, "owner");
    await appendToLog(tx, "owner", entries);
  });
}

/** `prefix0`, `prefix1`, … */
export function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

export function serveFeed(feed: ProvidedService, port = 0): Promise<RunningServer> {
  return serve({
    name: "owner",
    services: [feed],
    port,
    grpcPort: 0,
    host: "127.0.0.1",
    logger,
    metrics: createMetrics({ service: "owner" }),
  });
}

/** Inserts entries into `consumer.applied`, in their order. */
export async function insertAll(tx: Transaction, entries: readonly FeedEntry[]): Promise<void> {
  for (const { sequence, key } of entries) {
    await tx.write("insert into consumer.applied (sequence, key) values ($1, $2)", [
      sequence,
      key[0],
    ]);
  }
}
