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
import { facetListHandlers } from "./rpc/facet-lists.ts";
import { queryEventHandlers, QueryEventTails } from "./rpc/query-events.ts";
import { rebuildIndex, reindexHandlers } from "./rpc/reindexes.ts";
import { savedQueryHandlers, savedQueryIngestHandlers } from "./rpc/saved-queries.ts";
import { meaningFaults, searchOffersByMeaning } from "./rpc/search-by-meaning.ts";
import { aggregationFaults, facetQueryFaults, searchHandlers } from "./rpc/search.ts";
import { suggestionHandlers } from "./rpc/suggestions.ts";
import { Vocabulary } from "./rpc/vocabulary.ts";
import { QueryEventStore } from "./store/query-event-store.ts";
import type { SavedQueryStore } from "./store/saved-query-store.ts";
import type { QueryWatches } from "./watching/query-watches.ts";

export interface SearchDependencies extends RouteDependencies {
  queries: SavedQueryStore;
  watches: QueryWatches;
  /** Notified of events of followed queries. */
  queryEvents: CommitSignal;
  reindexing: ReindexDependencies;
  reindexes: ReindexControl;
  /** Rejects while no index is live. */
  checkIndex: () => Promise<void>;
  feeds: ReadonlyMap<string, FeedFollower>;
}

export function routes(dependencies: SearchDependencies): ProvidedService[] {
  const { database, queries, watches, ingestTokens, reindexing, reindexes, checkIndex, feeds } =
    dependencies;
  const { engine } = reindexing;
  const vocabulary = new Vocabulary(engine);
  const events = new QueryEventStore(database);
  const tails = new QueryEventTails(events, database.polling, dependencies.queryEvents);
  const reads = provide(
    SearchService,
    {
      ...searchHandlers({ engine, queries, vocabulary }),
      ...suggestionHandlers({ engine, database, vocabulary }),
      ...facetListHandlers({ engine }),
      ...savedQueryHandlers({ queries }),
      ...queryEventHandlers({ watches, events, tails }),
      searchOffersByMeaning: searchOffersByMeaning(reindexing),
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
    provide(SearchIngestService, savedQueryIngestHandlers({ queries }), { tokens: ingestTokens }),
    provide(SearchIndexService, reindexHandlers({ reindexes }), { tokens: ingestTokens }),
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
