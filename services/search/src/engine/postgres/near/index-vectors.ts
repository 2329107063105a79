import { bulkUpsert, inTurn } from "@storefront/database";
import type { Database, Queryable, Transaction, TurnOptions } from "@storefront/database";
import { unlimited } from "../tables.ts";
import { readVector } from "../vectors/dot-products.ts";
import { indexedSchema, halfText } from "./near-tables.ts";
import type { NearTables } from "./near-tables.ts";

/** Maximum dimensions of pgvector's halfvec index. */
const maxDimensions = 4_000;

/** Numbers per transaction: some 20 milliseconds of text on the service's thread. */
const pageNumbers = 150_000;

/** With more new vectors the index is rebuilt, which is faster than updates. */
const maxFollowed = 50_000;

/** Interval of checks for another process, in milliseconds: building an index takes minutes. */
const lookEveryMs = 1_000;

/**
 * Updates the copy that pgvector indexes; a new copy is indexed last. Processes take turns. No-op without vectors, or
 * when they are too long.
 *
 * @param schema of pgvector, quoted
 * @param turns the signal stops it early; copied vectors stay
 */
export async function indexVectors(
  database: Database,
  tables: NearTables,
  schema: string,
  turns: Pick<TurnOptions, "signal" | "onWait">,
): Promise<void> {
  const dimensions = await dimensionsOf(database, tables);
  if (dimensions === undefined || dimensions > maxDimensions) return;
  const copied = { tables, schema, dimensions };
  if (
    (await indexedSchema(database, tables)) !== undefined &&
    !(await isBehind(database, tables, 1))
  )
    return;
  const turn = { ...turns, lookEveryMs };
  await inTurn(database, lockOf(tables), (tx) => prepareCopy(tx, copied), turn);
  await copyAll(database, copied, turn);
  await database.outsideTransaction(
    [
      `${unlimited}; select pg_advisory_xact_lock(hashtextextended('${lockOf(tables)}', 0));
      create index if not exists ${tables.index} on ${tables.near}
        using hnsw (near ${schema}.halfvec_ip_ops)`,
    ],
    turns.signal,
  );
  // Writes during the build.
  await copyAll(database, copied, turn);
}

interface Copied {
  readonly tables: NearTables;
  readonly schema: string;
  readonly dimensions: number;
}

async function dimensionsOf(
  queryable: Queryable,
  { stored }: NearTables,
): Promise<number | undefined> {
  const row = await queryable.readOne<{ dimensions: number }>(
    `select octet_length(vector) / 4 as dimensions from ${stored} where vector is not null limit 1`,
  );
  return row?.dimensions;
}

/** Whether the copy lacks at least this many writes. */
async function isBehind(
  queryable: Queryable,
  { stored, near }: NearTables,
  writes: number,
): Promise<boolean> {
  const row = await queryable.readOne(
    `select from ${stored}
      where version > (select coalesce(max(version), 0) from ${near})
      offset ${writes - 1} limit 1`,
  );
  return row !== undefined;
}

async function prepareCopy(tx: Transaction, { tables, schema, dimensions }: Copied): Promise<void> {
  if (!(await isResumable(tx, tables))) await tx.write(`drop table if exists ${tables.near}`);
  await tx.script(`
    create table if not exists ${tables.near} (
      number int primary key,
      version int8 not null,
      near ${schema}.halfvec(${dimensions})
    );
    create index if not exists ${tables.index}_version on ${tables.near} (version)`);
}

/** Whether a copy can be resumed: dropping pgvector drops its column. */
async function isResumable(tx: Transaction, tables: NearTables): Promise<boolean> {
  const column = await tx.readOne(
    "select from pg_attribute where attrelid = to_regclass($1) and attname = 'near'",
    [tables.near],
  );
  if (column === undefined) return false;
  const isIndexed = (await indexedSchema(tx, tables)) !== undefined;
  return !isIndexed || !(await isBehind(tx, tables, maxFollowed));
}

async function copyAll(database: Database, copied: Copied, turn: TurnOptions): Promise<void> {
  const pageRows = Math.max(Math.floor(pageNumbers / copied.dimensions), 1);
  const copyNext = (tx: Transaction) => copyPage(tx, copied, pageRows);
  while ((await inTurn(database, lockOf(copied.tables), copyNext, turn)) >= pageRows);
}

/** @returns the number of vectors to copy */
async function copyPage(
  tx: Transaction,
  { tables: { stored, near }, schema }: Copied,
  pageRows: number,
): Promise<number> {
  // By version only; with ties, a page has all rows of its last version.
  const rows = await tx.read<{ number: number; version: bigint; vector: Buffer | null }>(
    `select number, version, vector from ${stored}
      where version > (select coalesce(max(version), 0) from ${near})
      order by version
      fetch first ${pageRows} rows with ties`,
  );
  const columns = [
    { name: "number", type: "int" },
    { name: "version", type: "int8" },
    { name: "near", type: `${schema}.halfvec` },
  ];
  await bulkUpsert(
    tx,
    { table: near, keyColumns: ["number"], columns },
    rows.map(({ number, version, vector }) => ({
      number,
      version,
      near: vector === null ? null : halfText(readVector(vector)),
    })),
  );
  return rows.length;
}

/** Lock name of a copy. */
function lockOf({ near }: NearTables): string {
  return `vectors:${near}`;
}
