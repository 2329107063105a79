import type { Transport } from "@connectrpc/connect";
import { LogTail, provideFeed, provideFollowers } from "@storefront/change-feed";
import type { CommitSignal, FeedFollower } from "@storefront/change-feed";
import { ChangelogIngestService } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ChangelogService } from "@storefront/contracts/changelog/v1/changelog_service";
import { DependencyKind } from "@storefront/contracts/health/v1/health_service";
import { IngestMetrics } from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { RouteDependencies } from "@storefront/service-process";
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
import { EntryStore } from "./store/entry-store.ts";
import { ExportStore } from "./store/export-store.ts";

/** What the changelog's handlers are made of, beside what all are. */
export interface ChangelogDependencies extends RouteDependencies {
  /** Told of every commit of entries. */
  commits: CommitSignal;
  catalogFeed: FeedFollower;
  /** How the catalog is called. */
  catalog: Transport;
}

/** Every service of the changelog with its handlers. */
export function routes(dependencies: ChangelogDependencies): ProvidedService[] {
  const { database, ingestTokens, commits, catalogFeed, catalog, metrics } = dependencies;
  const entries = new EntryStore(database);
  const log = new EntryLog(database);
  const exports = new ExportStore(database);
  const counts = metrics && new IngestMetrics(metrics, ["entry", "entrySubject"]);
  const tail = new LogTail({ source: entrySource(log), polling: database.polling, commits });
  const reads = provide(ChangelogService, entryHandlers({ entries, log, tail }));
  return [
    { ...reads, drain: () => tail.close() },
    provide(
      ChangelogIngestService,
      {
        ...ingestHandlers({ database, counts, commits }),
        exportChangelog: exportChangelog({ exports, catalog }),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      database,
      schema: "changelog",
      source: feedSource(log),
      records: currentEntries(log),
      recordsWithPast: entriesWithSubjects(log, exports),
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
