import { LogMaintenance } from "@storefront/change-feed";
import type { LogRetention } from "@storefront/change-feed";
import { migrationCheck } from "@storefront/database";
import type { Database } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { pricingRoutes } from "./routes.ts";

/** What the service runs on. */
export interface PricingServiceOptions {
  /** Its schema is `pricing`; other services may share the database. */
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
export interface PricingServiceParts {
  readonly services: readonly ProvidedService[];
  readonly readiness: ReadinessChecks;
  /** Begins to look after the log; call it when the database is migrated. */
  start(): void;
  /** Ends that; call it before the database is closed. */
  close(): Promise<void>;
}

/** Where the service's tables come from. */
export const pricingMigrations = {
  schema: "pricing",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Composes the pricing service. The caller opens and closes the database, and migrates it. */
export function createPricingService({
  database,
  ingestTokens,
  logger,
  metrics,
  logRetention,
}: PricingServiceOptions): PricingServiceParts {
  const maintenance = new LogMaintenance({
    database,
    schema: "pricing",
    retention: logRetention,
    logger,
  });
  return {
    services: pricingRoutes({ database: withServiceErrors(database), ingestTokens, metrics }),
    readiness: { database: migrationCheck(database, pricingMigrations, logger) },
    start: () => maintenance.start(),
    close: () => maintenance.close(),
  };
}
