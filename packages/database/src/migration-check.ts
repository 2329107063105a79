import type { Database } from "./database.ts";
import { cachedWhileIdle } from "./idle/polling.ts";
import { readMigrationStateIfAny } from "./migration-state.ts";
import { readMigrationFiles } from "./read-migration-files.ts";
import type { MigrationFile, MigrationSource } from "./read-migration-files.ts";

/** What the check needs of a logger; a pino logger fits. */
export interface MigrationLogger {
  info(details: object, message: string): void;
}

/**
 * The readiness check of a service: rejects until the database has the service's own migrations,
 * naming those that are missing. Newer ones are a line in the log, once.
 *
 * Probes ask often, so the files are read once. The table is asked each time, by one statement: that
 * is also how it is known that the database answers, and that it was put back to an older dump. One
 * that is suspended while idle is left alone.
 */
export function migrationCheck(
  db: Database,
  { schema, directory }: MigrationSource,
  logger: MigrationLogger,
): () => Promise<void> {
  let files: readonly MigrationFile[] | undefined;
  let told = "";
  return cachedWhileIdle(db.polling, async () => {
    files ??= await readMigrationFiles(directory);
    const { pending, newer } = await readMigrationStateIfAny(db, schema, files);
    const newest = newer.at(-1);
    if (newest !== undefined && newest > told) {
      logger.info({ schema, newer }, "a newer version has migrated the database");
      told = newest;
    }
    if (pending.length > 0) {
      throw new Error(`migrations are missing: ${pending.map(({ name }) => name).join(", ")}`);
    }
  });
}

/** Names of migrations, in order. */
export interface MigrationComparison {
  /** What `migrate` would apply; empty when the database has all that the code needs. */
  pending: string[];
  /** What a newer version has applied. */
  newer: string[];
}

/**
 * Compares the migrations of the database with those of the code.
 *
 * @throws DatabaseSetupError MIGRATION_CHANGED when an applied file was edited, MIGRATION_UNKNOWN
 * when the database has one that is neither the code's nor newer.
 */
export async function compareMigrations(
  db: Database,
  { schema, directory }: MigrationSource,
): Promise<MigrationComparison> {
  const files = await readMigrationFiles(directory);
  const { pending, newer } = await readMigrationStateIfAny(db, schema, files);
  return { pending: pending.map(({ name }) => name), newer };
}
