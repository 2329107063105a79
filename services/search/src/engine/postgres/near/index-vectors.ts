import { bulkUpsert, inTurn } from "@storefront/database";
import type {
  Database,
  DatabaseLogger,
  Queryable,
  Transaction,
  TurnOptions,
} from "@storefront/database";
import { unlimited } from "../tables.ts";
import { readVector } from "../vector-bytes.ts";
import { fewVectors, indexedType, isIndexed } from "./near-tables.ts";
import type { NearTables } from "./near-tables.ts";
import { vectorText } from "./pgvector.ts";

/** Maximum dimensions of pgvector's indexes; longer vectors are compared one by one. */
const maxDimensions = { vector: 2_000, halfvec: 4_000 };

/** Vectors per list of an index on PGlite. */
const listLength = 250;

/** Numbers per transaction: some 20 milliseconds of text on the service's thread. */
const pageNumbers = 150_000;

/** Interval of checks for another process, in milliseconds: building an index takes minutes. */
const lookEveryMs = 1_000;

/**
 * Updates the copy for pgvector; a new copy of more than a few vectors is indexed last. Processes take turns.
 *
 * @param schema of pgvector, quoted
 * @param options the signal stops it early, copied vectors stay; the logger is warned when it waits for a lock of the
 * copy
 */
export async function indexVectors(
  database: Database,
  tables: NearTables,
  schema: string,
  { signal, logger }: { signal: AbortSignal | undefined; logger: DatabaseLogger | undefined },
): Promise<void> {
  const copied = { tables, schema, dimensions: await dimensionsOf(database, tables) };
  let hasWarned = false;
  const onWait: TurnOptions["onWait"] = (reason) => {
    // Another process's turn does the same work.
    if (hasWarned || reason === "another turn") return;
    logger?.warn({ table: tables.near }, "vectors are not indexed: their table is in use");
    hasWarned = true;
  };
  const turn = { signal, onWait, lookEveryMs };
  if (!(await isUsable(database, copied)) || (await isBehind(database, tables))) {
    await inTurn(database, lockOf(tables), (tx) => prepareCopy(tx, copied), turn);
    await copyAll(database, copied, turn);
  }
  if (await isIndexed(database, tables)) return;
  const method = await indexMethod(database, copied);
  if (method === undefined) return;
  await database.outsideTransaction(
    [
      `${unlimited}; select pg_advisory_xact_lock(hashtextextended('${lockOf(tables)}', 0));
      create index if not exists ${tables.index} on ${tables.near} using ${method}`,
    ],
    signal,
  );
  // Writes during the build.
  await copyAll(database, copied, turn);
}

interface Copied {
  readonly tables: NearTables;
  /** Of pgvector, quoted. */
  readonly schema: string;
  /** 0 without vectors. */
  readonly dimensions: number;
}

async function dimensionsOf(queryable: Queryable, { stored }: NearTables): Promise<number> {
  const row = await queryable.readOne<{ dimensions: number }>(
    `select octet_length(vector) / 4 as dimensions from ${stored} where vector is not null limit 1`,
  );
  return row?.dimensions ?? 0;
}

/** How the copy is to be indexed; undefined when comparing is fast enough, or vectors are too long. */
async function indexMethod(
  database: Database,
  { tables: { near }, schema, dimensions }: Copied,
): Promise<string | undefined> {
  const more = await database.readOne(`select from ${near} offset ${fewVectors} limit 1`);
  const type = indexedType(database);
  if (more === undefined || dimensions > maxDimensions[type]) return undefined;
  const indexed = `((near::${schema}.${type}(${dimensions})) ${schema}.${type}_ip_ops)`;
  if (database.driver !== "pglite") return `hnsw ${indexed}`;
  // To build HNSW over 50,000 vectors would block PGlite for five minutes, these lists for three seconds.
  const row = await database.readOne<{ lists: number }>(
    `select count(*)::int4 / ${listLength} as lists from ${near}`,
  );
  return `ivfflat ${indexed} with (lists = ${row?.lists})`;
}

/**
 * Whether the copy lacks writes.
 *
 * @param tolerated as SQL; with at most so many it is not behind
 */
async function isBehind(
  queryable: Queryable,
  { stored, near }: NearTables,
  tolerated = "0",
): Promise<boolean> {
  const row = await queryable.readOne(
    `select from ${stored}
      where version > (select coalesce(max(version), 0) from ${near})
      offset ${tolerated} limit 1`,
  );
  return row !== undefined;
}

/** Whether there is a copy: dropping pgvector drops its column. */
async function isUsable(queryable: Queryable, { tables, schema }: Copied): Promise<boolean> {
  const column = await queryable.readOne(
    `select from pg_attribute where attrelid = to_regclass($1)
      and attname = 'near' and atttypid = to_regtype($2)`,
    [tables.near, `${schema}.vector`],
  );
  return column !== undefined;
}

async function prepareCopy(tx: Transaction, copied: Copied): Promise<void> {
  const { tables, schema } = copied;
  // Beyond half of the vectors, as after a training, a new index is made faster than the old one is updated.
  const half = `(select count(*) / 2 from ${tables.near})`;
  const isResumable =
    (await isUsable(tx, copied)) &&
    !((await isIndexed(tx, tables)) && (await isBehind(tx, tables, half)));
  if (!isResumable) await tx.write(`drop table if exists ${tables.near}`);
  await tx.script(`
    create table if not exists ${tables.near} (
      number int primary key,
      version int8 not null,
      near ${schema}.vector
    );
    create index if not exists ${tables.index}_version on ${tables.near} (version)`);
}

async function copyAll(database: Database, copied: Copied, turn: TurnOptions): Promise<void> {
  const pageRows = Math.max(Math.floor(pageNumbers / Math.max(copied.dimensions, 1)), 1);
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
    { name: "near", type: `${schema}.vector` },
  ];
  await bulkUpsert(
    tx,
    { table: near, keyColumns: ["number"], columns },
    rows.map(({ number, version, vector }) => ({
      number,
      version,
      near: vector === null ? null : vectorText(readVector(vector)),
    })),
  );
  return rows.length;
}

/** Lock name of a copy. */
function lockOf({ near }: NearTables): string {
  return `vectors:${near}`;
}
