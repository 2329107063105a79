import { LogMaintenance } from "@storefront/change-feed";
import type { LogRetention } from "@storefront/change-feed";
import { migrationCheck } from "@storefront/database";
import type { Database } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { catalogRoutes } from "./routes.ts";
import { createStores } from "./store/stores.ts";

/** What the service runs on. */
export interface CatalogServiceOptions {
  /** Its schema is `catalog`; other services may share the database. */
  readonly database: Database;
  /** Asked of every call that writes or exports. */
  readonly ingestTokens: readonly string[];
  readonly logger: Logger;
  /** Where the log and what is ingested are reported; default nowhere. */
  readonly metrics?: Metrics | undefined;
  /** How long the log is kept; default 30 days, and 7 more for followers. */
  readonly logRetention?: LogRetention | undefined;
}

/** The service, ready to be served by a process of its own or together with others. */
export interface CatalogServiceParts {
  readonly services: readonly ProvidedService[];
  readonly readiness: ReadinessChecks;
  /** Begins to look after the log; call it when the database is migrated. */
  start(): void;
  /** Ends that; call it before the database is closed. */
  close(): Promise<void>;
}

/** Where the service's tables come from. */
export const catalogMigrations = {
  schema: "catalog",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Composes the catalog service. The caller opens and closes the database, and migrates it. */
export function createCatalogService(options: CatalogServiceOptions): CatalogServiceParts {
  const database = withServiceErrors(options.database);
  const maintenance = new LogMaintenance({
    database: options.database,
    schema: "catalog",
    retention: options.logRetention,
    logger: options.logger,
  });
  return {
    services: catalogRoutes({
      database,
      stores: createStores(database),
      ingestTokens: options.ingestTokens,
      metrics: options.metrics,
    }),
    readiness: { database: migrationCheck(options.database, catalogMigrations, options.logger) },
    start: () => maintenance.start(),
    close: () => maintenance.close(),
  };
}
