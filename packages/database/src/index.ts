export { bulkDelete, bulkInsert, bulkUpsert } from "./bulk-writes.ts";
export type { Column, RowValues } from "./bulk-writes.ts";
export { compareCodePoints } from "./sql-text.ts";
export {
  DatabaseOverloadedError,
  DatabaseSetupError,
  DatabaseUnavailableError,
  sqlState,
} from "./database-errors.ts";
export type { Database, Queryable, Statement, Transaction } from "./database.ts";
export { databaseShape, zDriver } from "./database-options.ts";
export type { DatabaseDriver, DatabaseLogger, DatabaseOptions } from "./database-options.ts";
export { driverOf } from "./database-url.ts";
export { cachedWhileIdle, steadyPolling } from "./idle/polling.ts";
export type { Polling } from "./idle/polling.ts";
export { joinLookups } from "./join-lookups.ts";
export { Lease, whileRenewing } from "./lease.ts";
export { inTurn, lockWriters, tryLock } from "./locks.ts";
export type { TurnOptions } from "./locks.ts";
export { compareMigrations, migrationCheck } from "./migration-state.ts";
export { migrate } from "./migrate.ts";
export type { MigrationOutcome } from "./migrate.ts";
export type { MigrationSource } from "./migration-state.ts";
export { openDatabase } from "./open-database.ts";
