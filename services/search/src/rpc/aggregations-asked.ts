import { OfferAggregation } from "@storefront/contracts/search/v1/search_service";
import type { RequestCheck } from "@storefront/rpc";
import { aggregationNames } from "../engine/offer-search.ts";
import type { AggregationName } from "../engine/offer-search.ts";

const names = new Map<OfferAggregation, AggregationName>([
  [OfferAggregation.TECHNOLOGIES, "technologies"],
  [OfferAggregation.OFFER_TYPES, "offerTypes"],
  [OfferAggregation.TAGS, "tags"],
  [OfferAggregation.DEVELOPERS, "developers"],
  [OfferAggregation.PUBLISHERS, "publishers"],
  [OfferAggregation.SELLERS, "sellers"],
  [OfferAggregation.PRICE_STATS, "prices"],
]);

/**
 * The counts that a request asks for. Notes what cannot be asked for.
 *
 * @param otherwise those of a request that does not say; default all
 */
export function aggregationsAsked(
  check: RequestCheck,
  asked: readonly OfferAggregation[],
  otherwise: readonly AggregationName[] = aggregationNames,
): readonly AggregationName[] {
  if (asked.length === 0) return otherwise;
  if (asked.length === 1 && asked[0] === OfferAggregation.NONE) return [];
  check.that("aggregations", !asked.includes(OfferAggregation.NONE), "NONE must stand alone");
  return [...new Set(asked)].flatMap((aggregation, index) => {
    const name = names.get(aggregation);
    const isKnown = name !== undefined || aggregation === OfferAggregation.NONE;
    check.that(`aggregations[${index}]`, isKnown, "must be a known aggregation");
    return name ?? [];
  });
}
