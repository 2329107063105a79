import type { Database } from "@storefront/database";
import { flagsOf } from "../columns/packed-lists.ts";
import { fewVectors, indexedType, isIndexed } from "./near-tables.ts";
import type { NearTables } from "./near-tables.ts";
import { vectorText } from "./pgvector.ts";

/** Lists of an index on PGlite that are read at first. */
const firstLists = 10;

/** Maximum tuples of an index scan with a filter; then all that pass are compared. */
const maxScanned = 40_000;

export interface NearQuery {
  readonly vector: Float32Array;
  /** At most 1,000. */
  readonly limit: number;
  /** Candidate numbers; default all. */
  readonly among: Int32Array | undefined;
}

/**
 * Numbers of the nearest vectors in the copy, unordered: `limit` if that many pass. Approximate among more than
 * {@link fewVectors}.
 *
 * @param schema of pgvector, quoted
 */
export async function findNear(
  database: Database,
  tables: NearTables,
  schema: string,
  query: NearQuery,
): Promise<readonly number[]> {
  const { among, limit } = query;
  const isFew = among !== undefined && among.length <= fewVectors;
  if (isFew || !(await isIndexed(database, tables)))
    return await compare(database, tables, schema, query);
  const scanned = await scan(database, tables, schema, query);
  const isEnough = among === undefined || scanned.length === limit;
  return isEnough ? scanned : await compare(database, tables, schema, query);
}

/** The nearest that pass, by the index: scans until there are enough. */
async function scan(
  database: Database,
  { near }: NearTables,
  schema: string,
  { vector, limit, among }: NearQuery,
): Promise<number[]> {
  const passing = among && flagsOf(among);
  const type = indexedType(database);
  return await database.transaction(
    async (tx) => {
      // Without a sort in the plan only the index is left.
      await tx.read(
        `select set_config('hnsw.ef_search', $1, true),
          set_config('hnsw.iterative_scan', 'relaxed_order', true),
          set_config('hnsw.max_scan_tuples', $2, true),
          set_config('hnsw.scan_mem_multiplier', '8', true),
          set_config('ivfflat.probes', '${firstLists}', true),
          set_config('ivfflat.iterative_scan', 'relaxed_order', true),
          set_config('enable_seqscan', 'off', true),
          set_config('enable_sort', 'off', true)`,
        [String(limit), String(maxScanned)],
      );
      await tx.write(
        `declare nearest no scroll cursor for
          select number from ${near}
            order by (near::${schema}.${type}(${vector.length}))
              operator(${schema}.<#>) '${vectorText(vector)}'::${schema}.${type}`,
      );
      const found: number[] = [];
      for (let size = limit, seen = 0; ; size *= 2) {
        const rows = await tx.read<{ number: number }>(`fetch ${size} from nearest`);
        for (const { number } of rows) {
          const passes = passing === undefined || passing[number] === 1;
          if (found.length < limit && passes) found.push(number);
        }
        seen += rows.length;
        if (found.length === limit || rows.length < size || seen >= maxScanned) return found;
      }
    },
    { readOnly: true },
  );
}

/** The nearest, each compared. */
async function compare(
  database: Database,
  { near }: NearTables,
  schema: string,
  { vector, limit, among }: NearQuery,
): Promise<number[]> {
  const rows = await database.read<{ number: number }>(
    `select number from ${near}
      ${among === undefined ? "" : "where number = any($3::int[])"}
      order by near operator(${schema}.<#>) $1::${schema}.vector limit $2`,
    [vectorText(vector), limit, ...(among === undefined ? [] : [[...among]])],
  );
  return rows.map(({ number }) => number);
}
