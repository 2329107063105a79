import { asRegion } from "@storefront/identifiers";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { findQuery } from "./find-query.ts";
import type { SearchHandlers } from "./handlers.ts";
import { bucketMessages } from "./search-answers.ts";

export function countFacets(deps: {
  engine: SearchEngine;
  queries: SavedQueryStore;
}): SearchHandlers["countFacets"] {
  return async ({ queryId, region }) => {
    const query = canonicalQuery(await findQuery(deps.queries, queryId));
    const facets = await deps.engine.countFacets({
      filter: offerFilter(query),
      region: asRegion(region),
      nowMs: Date.now(),
    });
    const { min, max } = facets.prices;
    return {
      ...bucketMessages(facets.buckets),
      totalSize: BigInt(facets.total),
      ...(min === undefined ? {} : { minPrice: BigInt(min) }),
      ...(max === undefined ? {} : { maxPrice: BigInt(max) }),
    };
  };
}
