import { CommitSignal, FeedMetrics, followFeed } from "@storefront/change-feed";
import { migrationCheck } from "@storefront/database";
import { withServiceErrors } from "@storefront/ingest";
import { defineService } from "@storefront/service-process";
import type { FollowerDependencies, ServiceParts } from "@storefront/service-process";
import { applyCatalogFeed, applySupersededWrite } from "./apply-catalog-feed.ts";
import { observedTypes } from "./domain/subject-state.ts";
import { rebuildChangelog } from "./resynchronise/rebuild-changelog.ts";
import { resynchroniseChangelog } from "./resynchronise/resynchronise-changelog.ts";
import { routes } from "./routes.ts";

/** Where the service's tables come from. */
const changelogMigrations = {
  schema: "changelog",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Rises whenever entries and lists are made otherwise; that of 0.2.0 was 1, without saying so. */
const projectionVersion = 2;

/** The changelog service as those see it who run it. */
export const changelogService = defineService({
  name: "changelog",
  migrations: changelogMigrations,
  shape: {},
  rules: [],
  indexes: false,
  create: createChangelogService,
});

/** Composes the changelog, which by itself follows the catalog's feed. */
export function createChangelogService({
  database,
  logger,
  metrics,
  ingestTokens,
  transportTo,
}: FollowerDependencies<"catalog">): ServiceParts {
  const catalog = transportTo("catalog");
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
