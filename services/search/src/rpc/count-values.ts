import { defaultRegion } from "@storefront/domain/regions";
import { canonicalQuery } from "../domain/canonical-query.ts";
import type { FacetQuery } from "../domain/facet-query.ts";
import type { CountName } from "../domain/offer-fields.ts";
import { everything } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import type { OfferFilter, OfferHits } from "../engine/offer-search.ts";
import type { SearchEngine } from "../engine/search-engine.ts";

/** Most values of each count: as far as pages of them reach. */
const valuesMax = 100_000;

interface Counting {
  readonly aggregations: readonly CountName[];
  /** Default all offers. */
  readonly filter?: OfferFilter;
  /** Narrows one of the counts; default none. */
  readonly facetQuery?: FacetQuery | undefined;
}

/** Counts offers by the values that they have, without limiting the values to the most frequent ones. */
export async function countValues(
  engine: SearchEngine,
  { aggregations, filter = everything, facetQuery }: Counting,
): Promise<OfferHits> {
  return await engine.searchOffers({
    filter,
    order: offerOrder(canonicalQuery()).order,
    region: defaultRegion,
    nowMs: Date.now(),
    offset: 0,
    limit: 0,
    aggregations,
    facetQuery,
    bucketsMax: valuesMax,
  });
}
