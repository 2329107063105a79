import { provideFollowers } from "@storefront/change-feed";
import type { CommitSignal, FeedFollower } from "@storefront/change-feed";
import { DependencyKind } from "@storefront/contracts/health/v1/health_service";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { SearchIngestService } from "@storefront/contracts/search/v1/search_ingest_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { RouteDependencies } from "@storefront/service-process";
import type { ReindexControl } from "./indexing/reindex-control.ts";
import type { ReindexDependencies } from "./indexing/reindex-steps.ts";
import { aggregationFaults, facetQueryFaults } from "./rpc/aggregations-asked.ts";
import { cancelReindex } from "./rpc/cancel-reindex.ts";
import { countFacets } from "./rpc/count-facets.ts";
import { describeReindex } from "./rpc/describe-reindex.ts";
import { exportSearch } from "./rpc/export-search.ts";
import { getSavedQuery } from "./rpc/get-saved-query.ts";
import { ingestSearch } from "./rpc/ingest-search.ts";
import { listQueryEvents } from "./rpc/list-query-events.ts";
import { rebuildIndex } from "./rpc/rebuild-index.ts";
import { reindex } from "./rpc/reindex.ts";
import { saveQuery } from "./rpc/save-query.ts";
import { searchEntries } from "./rpc/search-entries.ts";
import { meaningFaults, searchOffersByMeaning } from "./rpc/search-offers-by-meaning.ts";
import { searchOffers } from "./rpc/search-offers.ts";
import { watchQueryEvents } from "./rpc/watch-query-events.ts";
import { QueryEventStore } from "./store/query-event-store.ts";
import type { SavedQueryStore } from "./store/saved-query-store.ts";
import { QueryEventTails } from "./watching/query-event-tails.ts";
import type { QueryWatches } from "./watching/query-watches.ts";

/** What the search's handlers are made of, beside what all are. */
export interface SearchDependencies extends RouteDependencies {
  queries: SavedQueryStore;
  watches: QueryWatches;
  /** Told of what enters and leaves followed queries. */
  queryEvents: CommitSignal;
  reindexing: ReindexDependencies;
  reindexes: ReindexControl;
  /** Rejects while no index answers. */
  checkIndex: () => Promise<void>;
  /** Followers by the name of their feed. */
  feeds: ReadonlyMap<string, FeedFollower>;
}

/** Every service of the search with its handlers. */
export function routes(dependencies: SearchDependencies): ProvidedService[] {
  const { database, queries, watches, ingestTokens, reindexing, reindexes, checkIndex, feeds } =
    dependencies;
  const { engine } = reindexing;
  const events = new QueryEventStore(database);
  const tails = new QueryEventTails(events, database.polling, dependencies.queryEvents);
  const reads = provide(
    SearchService,
    {
      searchOffers: searchOffers({ engine }),
      saveQuery: saveQuery({ queries }),
      getSavedQuery: getSavedQuery({ queries }),
      countFacets: countFacets({ engine, queries }),
      searchOffersByMeaning: searchOffersByMeaning(reindexing),
      searchEntries: searchEntries({ engine }),
      listQueryEvents: listQueryEvents({ watches, events }),
      watchQueryEvents: watchQueryEvents({ watches, events, tails }),
    },
    {
      checks: {
        searchOffers: (request) => [
          ...aggregationFaults(request.aggregations),
          ...facetQueryFaults(request),
        ],
        searchOffersByMeaning: meaningFaults,
      },
    },
  );
  return [
    { ...reads, drain: () => tails.close() },
    provide(
      SearchIngestService,
      { ingestSearch: ingestSearch({ queries }), exportSearch: exportSearch({ queries }) },
      { tokens: ingestTokens },
    ),
    provide(
      SearchIndexService,
      {
        reindex: reindex({ reindexes }),
        describeReindex: describeReindex({ reindexes }),
        cancelReindex: cancelReindex({ reindexes }),
      },
      { tokens: ingestTokens },
    ),
    provideFollowers({ followers: feeds, ingestTokens, index: rebuildIndex({ reindexes }) }),
    provideHealth([
      databaseProbe(database),
      {
        kind: DependencyKind.SEARCH_ENGINE,
        name: engine.name,
        probe: async () => {
          await engine.probe();
          await checkIndex();
          return undefined;
        },
      },
      ...[...feeds].map(([name, feed]) => ({
        kind: DependencyKind.FEED,
        name,
        probe: () => feed.probe(),
      })),
    ]),
  ];
}
