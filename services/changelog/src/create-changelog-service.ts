import type { Transport } from "@connectrpc/connect";
import { CommitSignal, FeedMetrics, followFeed } from "@storefront/change-feed";
import { migrationCheck } from "@storefront/database";
import type { Database } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import type { ProvidedService, ReadinessChecks } from "@storefront/rpc";
import type { Logger, Metrics } from "@storefront/telemetry";
import { applyCatalogFeed, applySupersededWrite } from "./apply-catalog-feed.ts";
import { observedTypes } from "./domain/subject-state.ts";
import { rebuildChangelog } from "./rebuild/rebuild-changelog.ts";
import { resynchroniseChangelog } from "./resynchronise/resynchronise-changelog.ts";
import { routes } from "./routes.ts";

/** Where the service's tables come from. */
export const changelogMigrations = {
  schema: "changelog",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Rises whenever entries and lists are made otherwise; that of 0.2.0 was 1, without saying so. */
const projectionVersion = 2;

/** What the changelog needs from whoever runs it. */
export interface ChangelogServiceOptions {
  /** Database whose schema `changelog` is migrated, or will be before the first call. */
  database: Database;
  logger: Logger;
  /** Where the lag behind the catalog, the log and what is ingested are reported; default nowhere. */
  metrics?: Metrics;
  /** Asked of every ingest call as a bearer token. */
  ingestTokens: readonly string[];
  /** How the catalog is called, whose feed the changelog follows. The caller closes it, last. */
  catalog: Transport;
}

/** A service that follows a feed, ready to be migrated, served and started. */
export interface ChangelogServiceParts {
  services: ProvidedService[];
  /** Each rejects while the service cannot answer. */
  readiness: ReadinessChecks;
  /** Begins to follow the catalog's feed; call it when the database is migrated. */
  start(): void;
  /** Stops following, after the transaction under way; call it before the database is closed. */
  close(): Promise<void>;
}

/** Composes the changelog's services on a database. */
export function createChangelogService(
  dependencies: ChangelogServiceOptions,
): ChangelogServiceParts {
  const { database, logger, metrics, ingestTokens, catalog } = dependencies;
  const commits = new CommitSignal();
  const catalogFeed = followFeed({
    feed: "catalog",
    transport: catalog,
    kinds: observedTypes,
    database,
    schema: "changelog",
    projectionVersion,
    apply: applyCatalogFeed,
    applySuperseded: applySupersededWrite,
    resynchronise: (at) => resynchroniseChangelog(database, at),
    rebuild: (at) => rebuildChangelog(database, at),
    onCommitted: () => commits.notify(),
    logger,
    metrics: metrics && new FeedMetrics(metrics),
  });
  return {
    services: routes({
      database: withServiceErrors(database),
      ingestTokens,
      commits,
      catalogFeed,
      catalog,
      metrics,
    }),
    readiness: { database: migrationCheck(database, changelogMigrations, logger) },
    start: () => catalogFeed.start(),
    close: () => catalogFeed.close(),
  };
}
