export { bulkDelete } from "./bulk-delete.ts";
export type { DeleteTarget } from "./bulk-delete.ts";
export { bulkInsert } from "./bulk-insert.ts";
export type { InsertTarget } from "./bulk-insert.ts";
export { bulkUpsert } from "./bulk-upsert.ts";
export type { UpsertTarget } from "./bulk-upsert.ts";
export type { Column, RowValues } from "./column-values.ts";
export { DatabaseOverloadedError } from "./database-overloaded-error.ts";
export type { DatabaseOverloadedErrorCode } from "./database-overloaded-error.ts";
export { DatabaseSetupError } from "./database-setup-error.ts";
export type { DatabaseSetupErrorCode } from "./database-setup-error.ts";
export { DatabaseUnavailableError } from "./database-unavailable-error.ts";
export type { DatabaseUnavailableErrorCode } from "./database-unavailable-error.ts";
export type {
  Database,
  DatabaseDriver,
  DatabaseLogger,
  DatabaseOptions,
  Queryable,
  Statement,
  Transaction,
  TransactionOptions,
  WriteResult,
} from "./database.ts";
export type { IdleOptions } from "./idle/database-activity.ts";
export { cachedWhileIdle } from "./idle/cached-while-idle.ts";
export { steadyPolling } from "./idle/polling.ts";
export type { Polling } from "./idle/polling.ts";
export { inTurn } from "./in-turn.ts";
export type { TurnOptions } from "./in-turn.ts";
export { joinLookups } from "./join-lookups.ts";
export type { Lookups } from "./join-lookups.ts";
export { kyselyOf } from "./kysely-of.ts";
export { lockWriters } from "./lock-writers.ts";
export { compareMigrations } from "./compare-migrations.ts";
export type { MigrationComparison } from "./compare-migrations.ts";
export { migrate } from "./migrate.ts";
export type { MigrateOptions, MigrationOutcome } from "./migrate.ts";
export { migrationCheck } from "./migration-check.ts";
export type { MigrationLogger } from "./migration-check.ts";
export type { MigrationSource } from "./read-migration-files.ts";
export { openDatabase } from "./open-database.ts";
export { tryLock } from "./try-lock.ts";
