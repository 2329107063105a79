import { DatabaseSetupError } from "./database-setup-error.ts";
import type { Database, Queryable, Transaction } from "./database.ts";
import { readMigrationFiles } from "./read-migration-files.ts";
import type { MigrationFile } from "./read-migration-files.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** A schema and the directory that holds its migrations. */
export interface MigrationSource {
  schema: string;
  /** Path or file URL; files `0001_create_offers.sql`, forward only, never edited once applied. */
  directory: string | URL;
}

/**
 * Creates the schema if it is missing and applies what is pending, each file in its own transaction
 * with `search_path` set to the schema and no statement timeout. Two runners at once are safe.
 *
 * @returns names of the migrations applied now.
 * @throws DatabaseSetupError MIGRATIONS_NEWER when the database has migrations that are not in the
 * directory, MIGRATION_CHANGED when an applied file was edited.
 */
export async function migrate(db: Database, source: MigrationSource): Promise<string[]> {
  const files = await readMigrationFiles(source.directory);
  await db.transaction((tx) => prepareSchema(tx, source.schema));
  const names: string[] = [];
  for (;;) {
    const name = await db.transaction((tx) => applyNext(tx, source.schema, files));
    if (name === undefined) return names;
    names.push(name);
  }
}

/**
 * Names of the migrations that {@link migrate} would apply; empty when the database is up to date.
 *
 * @throws DatabaseSetupError as {@link migrate} does.
 */
export async function pendingMigrations(db: Database, source: MigrationSource): Promise<string[]> {
  const files = await readMigrationFiles(source.directory);
  const table = `${source.schema}.migration`;
  const known = await db.readOne<{ table: string | null }>(
    "select to_regclass($1)::text as table",
    [quoteIdentifier(table)],
  );
  const pending = known?.table === null ? files : await findPending(db, source.schema, files);
  return pending.map(({ name }) => name);
}

/**
 * For readiness: rejects until the database is up to date, naming the migrations that are missing.
 *
 * @throws DatabaseSetupError as {@link migrate} does.
 */
export async function requireMigrated(db: Database, source: MigrationSource): Promise<void> {
  const pending = await pendingMigrations(db, source);
  if (pending.length > 0) throw new Error(`migrations are missing: ${pending.join(", ")}`);
}

async function prepareSchema(tx: Transaction, schema: string): Promise<void> {
  await lockMigrations(tx, schema);
  await tx.script(`
    create schema if not exists ${quoteIdentifier(schema)};
    create table if not exists ${quoteIdentifier(`${schema}.migration`)} (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

async function applyNext(
  tx: Transaction,
  schema: string,
  files: readonly MigrationFile[],
): Promise<string | undefined> {
  await lockMigrations(tx, schema);
  const [next] = await findPending(tx, schema, files);
  if (next === undefined) return undefined;
  await tx.script(`
    set local statement_timeout = 0;
    set local search_path to ${quoteIdentifier(schema)}, public`);
  await tx.script(next.sql);
  await tx.write(
    `insert into ${quoteIdentifier(`${schema}.migration`)} (name, checksum) values ($1, $2)`,
    [next.name, next.checksum],
  );
  return next.name;
}

async function lockMigrations(tx: Transaction, schema: string): Promise<void> {
  await tx.script("set local statement_timeout = 0");
  await tx.read("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`migrations:${schema}`]);
}

async function findPending(
  queryable: Queryable,
  schema: string,
  files: readonly MigrationFile[],
): Promise<MigrationFile[]> {
  const applied = await queryable.read<{ name: string; checksum: string }>(
    `select name, checksum from ${quoteIdentifier(`${schema}.migration`)}`,
  );
  const byName = new Map(files.map((file) => [file.name, file]));
  for (const { name, checksum } of applied) {
    const file = byName.get(name);
    if (file === undefined) {
      throw new DatabaseSetupError(
        "MIGRATIONS_NEWER",
        `The database schema ${schema} is from a newer version of this program (it has the migration ${name}).`,
      );
    }
    if (file.checksum !== checksum) {
      throw new DatabaseSetupError(
        "MIGRATION_CHANGED",
        `The migration ${name} of the database schema ${schema} was edited after it had been applied.`,
      );
    }
    byName.delete(name);
  }
  return [...byName.values()];
}
