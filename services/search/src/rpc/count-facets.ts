import { offerFilter } from "../domain/offer-filter.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { findQuery } from "./find-query.ts";
import type { SearchHandlers } from "./handlers.ts";
import { queryOf } from "./query-messages.ts";
import { bucketMessages } from "./search-answers.ts";

export function countFacets(deps: {
  engine: SearchEngine;
  queries: SavedQueryStore;
}): SearchHandlers["countFacets"] {
  return async ({ queryId, region }) => {
    const query = queryOf(await findQuery(deps.queries, queryId));
    const facets = await deps.engine.countFacets({
      filter: offerFilter(query),
      region,
      nowMs: Date.now(),
    });
    const { min, max } = facets.prices;
    return {
      tagCounts: bucketMessages(facets.tagIds),
      offerTypeCounts: bucketMessages(facets.offerTypes),
      developerCounts: bucketMessages(facets.developers),
      publisherCounts: bucketMessages(facets.publishers),
      totalSize: BigInt(facets.total),
      ...(min === undefined ? {} : { minPrice: BigInt(min) }),
      ...(max === undefined ? {} : { maxPrice: BigInt(max) }),
    };
  };
}
