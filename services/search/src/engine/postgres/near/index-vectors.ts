import { bulkUpsert, inTurn } from "@storefront/database";
import type { Database, Queryable, Transaction, TurnOptions } from "@storefront/database";
import { unlimited } from "../tables.ts";
import { readVector } from "../vectors/dot-products.ts";
import { indexedSchema, halfText } from "./near-tables.ts";
import type { NearTables } from "./near-tables.ts";

/** Most dimensions of halves of floats that pgvector indexes. */
const maxDimensions = 4_000;

/** Numbers in one transaction: their texts are on the service's thread for some 20 milliseconds. */
const pageNumbers = 150_000;

/** Of more vectors than these the index is remade: that is faster than to change it one by one. */
const maxFollowed = 50_000;

/** Between looks at whether another process is done, in milliseconds: the end of an index takes minutes. */
const lookEveryMs = 1_000;

/**
 * Brings the copy that pgvector indexes up to what is stored by any process; of one that has no index yet
 * it is made last. Several processes take turns. Does nothing while there are no vectors, or where they are too
 * long.
 *
 * @param schema of pgvector, quoted
 * @param turns the signal ends it early; what was copied stays
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
  // What was written while it was made.
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

/** Whether the copy lacks at least so many of the newest writes. */
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
  if (!(await isOfUse(tx, tables))) await tx.write(`drop table if exists ${tables.near}`);
  await tx.script(`
    create table if not exists ${tables.near} (
      number int primary key,
      version int8 not null,
      near ${schema}.halfvec(${dimensions})
    );
    create index if not exists ${tables.index}_version on ${tables.near} (version)`);
}

/** Whether there is a copy to go on with: pgvector's end takes its column. */
async function isOfUse(tx: Transaction, tables: NearTables): Promise<boolean> {
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

/** @returns how many vectors were there to copy. */
async function copyPage(
  tx: Transaction,
  { tables: { stored, near }, schema }: Copied,
  pageRows: number,
): Promise<number> {
  // By version alone, or there were no ties: a page ends with all of a version.
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

/** Of the process that works at a copy. */
function lockOf({ near }: NearTables): string {
  return `vectors:${near}`;
}
