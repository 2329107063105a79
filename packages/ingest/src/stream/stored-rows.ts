import type { Column, Queryable } from "@storefront/database";
import type { CompiledKind } from "../apply/compiled-kind.ts";
import { seenAtSql } from "../apply/sightings.ts";

/** A record as it is stored. */
export interface StoredRow {
  readonly key: string[];
  readonly observedAt: Date;
  /** Serialized. */
  readonly bytes: Uint8Array;
}

/** Rows read at a time; a row is at most 1 MiB, and mostly a few kilobytes. */
export const pageRows = 200;

/**
 * The rows of a kind, one page in memory at a time.
 *
 * @param order columns that identify a row; those of the primary key make each page a stretch of it
 */
export async function* storedRows(
  database: Queryable,
  compiled: CompiledKind,
  order: readonly Column[],
): AsyncGenerator<StoredRow> {
  const { kind, keyColumns } = compiled;
  const key = keyColumns.map(({ name }) => name).join(", ");
  const names = order.map(({ name }) => name).join(", ");
  const start = order.map((_, index) => `$${index + 1}`).join(", ");
  const sql = `select array[${key}] as key, ${seenAtSql(compiled, "stored")} as seen_at, record, ${order
    .map(({ name }, index) => `${name} as place_${index}`)
    .join(", ")} from ${kind.table} as stored
    where (${names}) > (${start}) order by ${names} limit ${pageRows}`;
  // Every part of an identity has at least one character, and every digest a byte: "" is before all of them.
  let after: unknown[] = order.map(() => "");
  for (;;) {
    const rows = await database.read<Row>(sql, after);
    for (const { key: parts, seen_at, record } of rows) {
      yield { key: parts, observedAt: seen_at, bytes: record };
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = order.map((_, index) => last[`place_${index}`]);
  }
}

interface Row {
  key: string[];
  seen_at: Date;
  record: Uint8Array;
  [place: `place_${number}`]: unknown;
}
