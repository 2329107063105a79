import type { FeedFollower } from "@storefront/change-feed";
import { DependencyKind } from "@storefront/contracts/health/v1/health_service";
import { SearchIndexService } from "@storefront/contracts/search/v1/search_index_service";
import { SearchService } from "@storefront/contracts/search/v1/search_service";
import type { Database } from "@storefront/database";
import { provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { Embedder } from "./embedder/embedder.ts";
import type { ReindexDependencies } from "./indexing/reindexer.ts";
import { countFacets } from "./rpc/count-facets.ts";
import { getSavedQuery } from "./rpc/get-saved-query.ts";
import { reindexHandler } from "./rpc/reindex-handler.ts";
import { saveQuery } from "./rpc/save-query.ts";
import { searchEntries } from "./rpc/search-entries.ts";
import { searchOffersByMeaning } from "./rpc/search-offers-by-meaning.ts";
import { searchOffers } from "./rpc/search-offers.ts";
import { SavedQueryStore } from "./store/saved-query-store.ts";
import type { TrainingStore } from "./store/training-store.ts";

/** What the search's services are made of. */
export interface RouteDependencies {
  database: Database;
  ingestToken: string;
  embedder: Embedder | undefined;
  trainings: TrainingStore;
  reindexing: ReindexDependencies;
  /** Followers by the name of their feed. */
  feeds: ReadonlyMap<string, FeedFollower>;
}

/** Every service of the search with its handlers. */
export function routes(dependencies: RouteDependencies): ProvidedService[] {
  const { database, ingestToken, embedder, trainings, reindexing, feeds } = dependencies;
  const { engine } = reindexing;
  const queries = new SavedQueryStore(database);
  return [
    provide(SearchService, {
      searchOffers: searchOffers({ engine }),
      saveQuery: saveQuery({ queries }),
      getSavedQuery: getSavedQuery({ queries }),
      countFacets: countFacets({ engine, queries }),
      searchOffersByMeaning: searchOffersByMeaning({
        engine,
        embedder,
        trainings,
      }),
      searchEntries: searchEntries({ engine }),
    }),
    provide(SearchIndexService, { reindex: reindexHandler(reindexing) }, { token: ingestToken }),
    provideHealth([
      {
        kind: DependencyKind.DATABASE,
        name: "database",
        probe: async () => {
          await database.probe();
          return undefined;
        },
      },
      {
        kind: DependencyKind.SEARCH_ENGINE,
        name: engine.name,
        probe: async () => {
          await engine.probe();
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
