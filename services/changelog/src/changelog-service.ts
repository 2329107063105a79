import type { Transport } from "@connectrpc/connect";
import {
  CommitSignal,
  FeedMetrics,
  followFeed,
  LogTail,
  provideFeed,
  provideFollowers,
} from "@storefront/change-feed";
import type { FeedFollower } from "@storefront/change-feed";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { DependencyKind } from "@storefront/contracts/health/v1/health_service";
import { migrationCheck } from "@storefront/database";
import { IngestMetrics, withServiceErrors } from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import { defineService } from "@storefront/service-process";
import type {
  FollowerDependencies,
  RouteDependencies,
  ServiceParts,
} from "@storefront/service-process";
import { applyCatalogFeed, applySupersededWrite } from "./apply-catalog-feed.ts";
import { observedTypes } from "./domain/subject-state.ts";
import { rebuildChangelog } from "./resynchronise/rebuild-changelog.ts";
import { resynchroniseChangelog } from "./resynchronise/resynchronise-changelog.ts";
import { entryHandlers } from "./rpc/entries.ts";
import {
  currentEntries,
  entriesWithSubjects,
  entrySource,
  feedSource,
} from "./rpc/entry-sources.ts";
import { exportChangelog } from "./rpc/export-changelog.ts";
import { ingestHandlers } from "./rpc/ingest-changelog.ts";
import { EntryLog } from "./store/entry-log.ts";

/** Where the service's tables come from. */
const changelogMigrations = {
  schema: "changelog",
  directory: new URL("../migrations", import.meta.url),
} as const;

/** Raised whenever entries and lists are derived differently; implicitly 1 in release 0.2.0. */
const projectionVersion = 2;

export const changelogService = defineService({
  name: "changelog",
  migrations: changelogMigrations,
  shape: {},
  rules: [],
  waitsForImports: false,
  create: createChangelogService,
});

/** Composes the changelog, which follows the catalog's feed. */
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

/** Dependencies of the changelog's handlers. */
interface ChangelogDependencies extends RouteDependencies {
  /** Notified of every commit of entries. */
  commits: CommitSignal;
  catalogFeed: FeedFollower;
  catalog: Transport;
}

function routes(dependencies: ChangelogDependencies): ProvidedService[] {
  const { database, ingestTokens, commits, catalogFeed, catalog, metrics } = dependencies;
  const log = new EntryLog(database);
  const counts = metrics && new IngestMetrics(metrics, ["entry", "entrySubject"]);
  const tail = new LogTail({ source: entrySource(log), polling: database.polling, commits });
  const reads = provide(ChangelogService, entryHandlers({ database, log, tail }));
  return [
    { ...reads, drain: () => tail.close() },
    provide(
      ChangelogIngestService,
      {
        ...ingestHandlers({ database, counts, commits }),
        exportChangelog: exportChangelog({ database, catalog }),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      database,
      schema: "changelog",
      source: feedSource(log),
      records: currentEntries(log),
      recordsWithPast: entriesWithSubjects(log, database),
      commits,
      metrics,
    }),
    provideFollowers({ followers: new Map([["catalog", catalogFeed]]), ingestTokens }),
    provideHealth([
      databaseProbe(database),
      { kind: DependencyKind.FEED, name: "catalog", probe: () => catalogFeed.probe() },
    ]),
  ];
}
