import type { Database } from "./database.ts";
import { readMigrationStateIfAny } from "./migration-state.ts";
import { readMigrationFiles } from "./read-migration-files.ts";
import type { MigrationSource } from "./read-migration-files.ts";

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
