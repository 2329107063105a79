import { toBinary } from "@bufbuild/protobuf";
import type { CurrentRecords, LogPosition, RecordsWithPast } from "@storefront/change-feed";
import type { Queryable } from "@storefront/database";
import { compileKind } from "../apply/compiled-kind.ts";
import type { CompiledKind } from "../apply/compiled-kind.ts";
import { seenAtSql } from "../apply/sightings.ts";
import type { RecordKind } from "../record-kind.ts";

/** A record as it is stored. */
interface StoredRow {
  readonly key: string[];
  readonly observedAt: Date;
  /** Serialized. */
  readonly bytes: Uint8Array;
}

/** Rows read at a time; a row is at most 1 MiB, and mostly a few kilobytes. */
const pageRows = 200;

/** The rows of a kind after a key, by the members of their keys, one page in memory at a time. */
async function* storedRows(
  database: Queryable,
  compiled: CompiledKind,
  start: readonly string[] = [],
): AsyncGenerator<StoredRow> {
  const { kind, keyColumns } = compiled;
  const key = keyColumns.map(({ name }) => name).join(", ");
  const place = keyColumns.map((_, index) => `$${index + 1}`).join(", ");
  const sql = `select array[${key}] as key, ${seenAtSql(compiled, "stored")} as seen_at, record
    from ${kind.table} as stored
    where (${key}) > (${place}) order by ${key} limit ${pageRows}`;
  // Every member of an identity has at least one character: "" is before all of them.
  for (let after = keyColumns.map((_, index) => start[index] ?? ""); ;) {
    const rows = await database.read<Row>(sql, after);
    for (const { key: parts, seen_at, record } of rows) {
      yield { key: parts, observedAt: seen_at, bytes: record };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.key;
  }
}

interface Row {
  key: string[];
  seen_at: Date;
  record: Uint8Array;
}

/** The current records of a service for its feed, from the tables of its kinds. */
export function currentRecords(database: Queryable, kinds: readonly RecordKind[]): CurrentRecords {
  const compiledKinds = kinds.map(compileKind);
  return async function* read(wanted, after) {
    for (const compiled of compiledKinds) {
      const { kind } = compiled;
      if (wanted?.includes(kind.name) === false) continue;
      for await (const { key, observedAt, bytes } of storedRows(database, compiled, after)) {
        yield {
          kind: kind.name,
          key,
          namespace: kind.namespace?.(compiled.decode(bytes)) ?? "",
          observedAt,
          changes: [],
          record: { schema: kind.schema, bytes },
        };
      }
    }
  };
}

/** A state of a record as it is stored, for export. */
export interface StoredObservation {
  /** Name of the kind. */
  readonly kind: string;
  /** The identity members. */
  readonly key: readonly string[];
  readonly observedAt: Date;
  /** The serialized record; for a deletion, one with only the identity. */
  readonly bytes: Uint8Array;
  readonly isDeletion: boolean;
}

/** The stored records of a kind, by identity, one page in memory at a time. */
export async function* storedRecords(
  database: Queryable,
  kind: RecordKind,
): AsyncGenerator<StoredObservation> {
  for await (const row of storedRows(database, compileKind(kind))) {
    yield { kind: kind.name, ...row, isDeletion: false };
  }
}

/** A sequence that no log reaches. */
export const endOfLog = 2n ** 63n - 1n;

/**
 * The stored deletions of a kind, in no particular order, one page in memory at a time.
 *
 * @param upTo excludes records with log entries after this sequence; default none
 */
export async function* storedDeletions(
  database: Queryable,
  schema: string,
  kind: RecordKind,
  upTo = endOfLog,
): AsyncGenerator<StoredObservation> {
  const compiled = compileKind(kind);
  const sql = `select key_digest, key, observed_at from ${schema}.tombstone as deleted
    where kind = $1 and key_digest > $2 and not exists (
      select from ${schema}.change_log as later
      where later.seq > $3 and later.kind = $1 and later.key = deleted.key)
    order by key_digest limit ${pageRows}`;
  let after: Uint8Array = new Uint8Array();
  for (;;) {
    const rows = await database.read<{ key_digest: Uint8Array; key: string[]; observed_at: Date }>(
      sql,
      [kind.name, after, upTo],
    );
    for (const { key, observed_at } of rows) {
      const bytes = toBinary(kind.schema, compiled.recordOfKey(key));
      yield { kind: kind.name, key, observedAt: observed_at, bytes, isDeletion: true };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = last.key_digest;
  }
}

/**
 * The export of a service, for its feed.
 *
 * @param observations those of the export, for a reader that continues with the log after a position
 */
export function recordsWithPast(
  kinds: readonly RecordKind[],
  observations: (upTo: LogPosition) => AsyncIterable<StoredObservation>,
): RecordsWithPast {
  const schemas = new Map(kinds.map(({ name, schema }) => [name, schema]));
  return async function* read(wanted, upTo) {
    for await (const { kind, key, observedAt, bytes, isDeletion } of observations(upTo)) {
      const schema = schemas.get(kind);
      if (schema === undefined || wanted?.includes(kind) === false) continue;
      const record = isDeletion ? undefined : { schema, bytes };
      yield { kind, key, namespace: "", observedAt, changes: [], record };
    }
  };
}
