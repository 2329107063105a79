import { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { FacetQuery as FacetQueryMessage } from "@storefront/contracts/search/v1/offer_query";
import type { SearchOffersRequest } from "@storefront/contracts/search/v1/search_service";
import type { FieldViolation } from "@storefront/rpc";
import { aggregationNames, countNames } from "../domain/offer-terms.ts";
import type { FacetQuery } from "../domain/facet-query.ts";
import type { AggregationName } from "../engine/offer-search.ts";

const names = new Map<OfferAggregation, AggregationName>([
  ...countNames,
  [OfferAggregation.PRICE_STATS, "prices"],
]);

/** What is wrong with the counts that a request asks for. */
export function aggregationFaults(asked: readonly OfferAggregation[]): FieldViolation[] {
  return asked.length > 1 && asked.includes(OfferAggregation.NONE)
    ? [{ field: "aggregations", description: "NONE must stand alone" }]
    : [];
}

/** What is wrong with the count that a request narrows. */
export function facetQueryFaults({
  facetQuery,
  aggregations,
}: SearchOffersRequest): FieldViolation[] {
  return facetQuery === undefined ||
    aggregations.length === 0 ||
    aggregations.includes(facetQuery.facet)
    ? []
    : [{ field: "facet_query.facet", description: "must be among the aggregations" }];
}

/** How a request narrows a count; of one that the contract does not know it is none. */
export function facetQueryAsked({ facet, text }: FacetQueryMessage): FacetQuery | undefined {
  const of = countNames.get(facet);
  return of && { of, text };
}

/**
 * The counts that a request asks for.
 *
 * @param otherwise those of a request that does not say; default all
 */
export function aggregationsAsked(
  asked: readonly OfferAggregation[],
  otherwise: readonly AggregationName[] = aggregationNames,
): readonly AggregationName[] {
  if (asked.length === 0) return otherwise;
  return [...new Set(asked)].flatMap((aggregation) => names.get(aggregation) ?? []);
}
