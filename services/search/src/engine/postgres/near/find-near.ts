import type { Database } from "@storefront/database";
import { flagsOf } from "../columns/packed-lists.ts";
import { indexedSchema, halfText } from "./near-tables.ts";
import type { NearTables } from "./near-tables.ts";

/** At most this many are compared one by one, which is faster than the index. */
const fewNumbers = 5_000;

/** Maximum tuples of an index scan with a filter; then all that pass are compared. */
const maxScanned = 40_000;

/** Writes that the index may lack; those are compared separately. */
const maxBehind = 2_000;

export interface NearQuery {
  readonly vector: Float32Array;
  /** At most 1,000. */
  readonly limit: number;
  /** Candidate numbers; default all. */
  readonly among: Int32Array | undefined;
}

/**
 * Numbers of approximately the nearest vectors, unordered: `limit` if that many pass, and those written since the index
 * was updated. Undefined without an index, or when it lacks too much.
 */
export async function findNear(
  database: Database,
  tables: NearTables,
  { vector, limit, among }: NearQuery,
): Promise<Set<number> | undefined> {
  const schema = await indexedSchema(database, tables);
  if (schema === undefined) return undefined;
  const fresh = await listFresh(database, tables);
  if (fresh.length > maxBehind) return undefined;
  const passing = among && flagsOf(among);
  const passes = passing && ((number: number) => passing[number] === 1);
  const question = { ...tables, schema, query: halfText(vector), limit };
  const isFew = among !== undefined && among.length <= fewNumbers;
  const scanned = isFew ? [] : await scan(database, question, passes);
  const isEnough = among === undefined || scanned.length >= limit;
  const found = isEnough ? scanned : await compare(database, question, among);
  return new Set([...found, ...fresh.filter((number) => passes?.(number) ?? true)]);
}

interface Question extends NearTables {
  readonly schema: string;
  readonly query: string;
  readonly limit: number;
}

type Passes = (number: number) => boolean;

async function listFresh(database: Database, { stored, near }: NearTables): Promise<number[]> {
  const rows = await database.read<{ number: number }>(
    `select number from ${stored}
      where version > (select coalesce(max(version), 0) from ${near})
      order by version limit ${maxBehind + 1}`,
  );
  return rows.map(({ number }) => number);
}

/** The nearest that pass, by the index: scans until there are enough. */
async function scan(
  database: Database,
  { near, schema, query, limit }: Question,
  passes: Passes = () => true,
): Promise<number[]> {
  return await database.transaction(
    async (tx) => {
      // Without a sort in the plan only the index is left.
      await tx.read(
        `select set_config('hnsw.ef_search', $1, true),
          set_config('hnsw.iterative_scan', 'relaxed_order', true),
          set_config('hnsw.max_scan_tuples', $2, true),
          set_config('hnsw.scan_mem_multiplier', '8', true),
          set_config('enable_seqscan', 'off', true),
          set_config('enable_sort', 'off', true)`,
        [String(limit), String(maxScanned)],
      );
      await tx.write(
        `declare nearest no scroll cursor for
          select number from ${near} order by near operator(${schema}.<#>) '${query}'::${schema}.halfvec`,
      );
      const found: number[] = [];
      for (let size = limit, seen = 0; ; size *= 2) {
        const rows = await tx.read<{ number: number }>(`fetch ${size} from nearest`);
        for (const { number } of rows)
          if (found.length < limit && passes(number)) found.push(number);
        seen += rows.length;
        if (found.length === limit || rows.length < size || seen >= maxScanned) return found;
      }
    },
    { readOnly: true },
  );
}

/** The nearest of these, each compared. */
async function compare(
  database: Database,
  { near, schema, query, limit }: Question,
  among: Int32Array,
): Promise<number[]> {
  const rows = await database.read<{ number: number }>(
    // In two steps, so that the index is not used.
    `with compared as materialized (
        select number, near operator(${schema}.<#>) $1::${schema}.halfvec as distance from ${near}
        where number = any($2::int[]) and near is not null
      )
      select number from compared order by distance limit $3`,
    [query, [...among], limit],
  );
  return rows.map(({ number }) => number);
}
