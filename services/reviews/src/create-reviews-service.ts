import { LogMaintenance } from "@storefront/change-feed";
import type { LogRetention } from "@storefront/change-feed";
import { migrationCheck } from "@storefront/database";
import type { Database } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { routes } from "./routes.ts";

/** Where the service's tables come from. */
export const reviewsMigrations = {
  schema: "reviews",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** What the reviews need from whoever runs them. */
export interface ReviewsServiceOptions {
  /** Database whose schema `reviews` is migrated, or will be before the first call. */
  database: Database;
  /** Asked of every ingest call as a bearer token. */
  ingestTokens: readonly string[];
  logger: Logger;
  /** Where the log and what is ingested are reported; default nowhere. */
  metrics?: Metrics | undefined;
  /** How long the log is kept; default 30 days, and 7 more for followers. */
  logRetention?: LogRetention | undefined;
}

/** A service, ready to be migrated and served. */
export interface ReviewsServiceParts {
  services: ProvidedService[];
  /** Each rejects while the service cannot answer. */
  readiness: ReadinessChecks;
  /** Begins to look after the log; call it when the database is migrated. */
  start(): void;
  /** Ends that; call it before the database is closed. */
  close(): Promise<void>;
}

/** Composes the reviews' services on a database. */
export function createReviewsService(dependencies: ReviewsServiceOptions): ReviewsServiceParts {
  const { database, ingestTokens, logger, metrics, logRetention } = dependencies;
  const maintenance = new LogMaintenance({
    database,
    schema: "reviews",
    retention: logRetention,
    logger,
  });
  return {
    services: routes({ database: withServiceErrors(database), ingestTokens, metrics }),
    readiness: { database: migrationCheck(database, reviewsMigrations, logger) },
    start: () => maintenance.start(),
    close: () => maintenance.close(),
  };
}
