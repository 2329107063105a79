import type { Database, Transaction } from "./database.ts";
import { inTurn, lockWriters, tryLockWriters } from "./locks.ts";
import { readMigrationState, readMigrationFiles } from "./migration-state.ts";
import { quoteIdentifier } from "./sql-text.ts";
import type { ConcurrentIndex, MigrationFile, MigrationSource } from "./migration-state.ts";

/** Options of {@link migrate}. */
export interface MigrateOptions {
  /** Called once for each reason to wait, such as `another migrator`. */
  onWait?: (reason: string) => void;
}

/** Names of migrations, in order. */
export interface MigrationOutcome {
  /** Migrations that were applied now. */
  applied: string[];
  /** Migrations of a newer version, which are not changed. */
  newer: string[];
}

/**
 * Longest that a migration waits for a table, in milliseconds: readers of the table
 * wait behind it.
 */
const lockTimeoutMs = 2000;

/**
 * Creates the schema if it is missing and applies pending migrations, in order and each by one migrator
 * only. Migrations of a newer version are not an error: a version that is rolled back finds all that it
 * needs.
 *
 * A file is one transaction, with `search_path` set to the schema and no statement timeout. It takes the
 * schema's writers' lock, so that no concurrent write changes the rows that it counts or copies. A file
 * that begins with `-- no transaction` builds one index while the table is read and written.
 *
 * @throws DatabaseSetupError MIGRATION_CHANGED when an applied file was edited, MIGRATION_UNKNOWN
 * when the database has a migration that is neither in the directory nor newer.
 */
export async function migrate(
  db: Database,
  { schema, directory }: MigrationSource,
  options: MigrateOptions = {},
): Promise<MigrationOutcome> {
  const files = await readMigrationFiles(directory);
  const reported = new Set<string>();
  const onWait = (reason: string) => {
    if (!reported.has(reason)) options.onWait?.(reason);
    reported.add(reason);
  };
  const inMyTurn = async <Result>(work: (tx: Transaction) => Promise<Result>) =>
    await inTurn(db, `migrations:${schema}`, work, {
      onWait: (reason) => onWait(reason === "another turn" ? "another migrator" : reason),
    });
  await inMyTurn((tx) => prepareSchema(tx, schema));
  const applied: string[] = [];
  for (;;) {
    const { next, newer } = await inMyTurn(async (tx) => {
      const state = await readMigrationState(tx, schema, files);
      const [first] = state.pending;
      if (first !== undefined) await apply(db, tx, schema, first, onWait);
      return { next: first, newer: state.newer };
    });
    if (next === undefined) return { applied, newer };
    applied.push(next.name);
  }
}

async function prepareSchema(tx: Transaction, schema: string): Promise<void> {
  const table = quoteIdentifier(`${schema}.migration`);
  const row = await tx.readOne<{ is_there: boolean }>(
    "select to_regclass($1) is not null as is_there",
    [table],
  );
  // A role that may not create schemas is rejected even if the schema exists.
  if (row?.is_there === true) return;
  await tx.script(`
    create schema if not exists ${quoteIdentifier(schema)};
    create table if not exists ${table} (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

async function apply(
  db: Database,
  tx: Transaction,
  schema: string,
  file: MigrationFile,
  onWait: (reason: string) => void,
): Promise<void> {
  const { concurrentIndex } = file;
  if (concurrentIndex === undefined) {
    await waitForWriters(tx, schema, onWait);
    await runInside(tx, schema, file.sql);
  } else if (db.driver === "pglite") {
    // This transaction uses its one connection: there are no concurrent reads or writes.
    await runInside(tx, schema, concurrentIndex.plainSql);
  } else {
    await buildBeside(db, schema, file.sql, concurrentIndex);
  }
  await tx.write(
    `insert into ${quoteIdentifier(`${schema}.migration`)} (name, checksum) values ($1, $2)`,
    [file.name, file.checksum],
  );
}

/** Waits in the database, whose queue prevents starvation by other writers. */
async function waitForWriters(
  tx: Transaction,
  schema: string,
  onWait: (reason: string) => void,
): Promise<void> {
  if (await tryLockWriters(tx, schema)) return;
  onWait("a writer");
  await lockWriters(tx, schema);
}

async function runInside(tx: Transaction, schema: string, sql: string): Promise<void> {
  await tx.script(`
    set local lock_timeout = ${lockTimeoutMs};
    set local search_path to ${quoteIdentifier(schema)}, public`);
  await tx.script(sql);
}

/**
 * Builds the index on another connection. The transaction, which has the lock against other migrators, has no
 * snapshot between its statements, so the build does not wait for it. An existing index of that name is the
 * leftover of an interrupted build: while the migration is pending no other process creates it.
 */
async function buildBeside(
  db: Database,
  schema: string,
  sql: string,
  { name }: ConcurrentIndex,
): Promise<void> {
  const index = quoteIdentifier(`${schema}.${name}`);
  await db.outsideTransaction([`drop index concurrently if exists ${index}`, sql]);
}
