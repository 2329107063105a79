import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import { SearchOffersRequestSchema } from "@storefront/contracts/search/v1/search_service";
import { asRegion } from "@storefront/identifiers";
import { pageOf } from "@storefront/rpc";
import { canonicalQuery } from "../domain/canonical-query.ts";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SearchHandlers } from "./handlers.ts";
import { aggregationsAsked, facetQueryAsked } from "./aggregations-asked.ts";
import { aggregationsMessage } from "./search-answers.ts";

export function searchOffers(deps: { engine: SearchEngine }): SearchHandlers["searchOffers"] {
  return async (request) => {
    const { offset, pageSize } = pageOf(SearchOffersRequestSchema, request);
    const aggregations = aggregationsAsked(request.aggregations);
    const facetQuery = request.facetQuery && facetQueryAsked(request.facetQuery);

    const query = canonicalQuery(request.query);
    const startMs = performance.now();
    const hits = await deps.engine.searchOffers({
      filter: offerFilter(query),
      order: offerOrder(query).order,
      region: asRegion(request.region),
      nowMs: Date.now(),
      offset,
      limit: request.countsOnly ? 0 : pageSize,
      aggregations,
      isDisjunctive: request.disjunctiveAggregations,
      facetQuery,
      highlight: request.highlight,
    });
    const { highlights } = hits;
    return {
      offerIds: [...hits.offerIds],
      totalSize: BigInt(hits.total),
      ...(aggregations.length === 0
        ? {}
        : { aggregations: aggregationsMessage(hits.aggregations) }),
      engineMs: performance.now() - startMs,
      timedOut: hits.isTimedOut,
      facetNarrowed: facetQuery !== undefined,
      lowestFiltered: query.lowestPriceOf !== LowWindow.UNSPECIFIED,
      highlights: highlights
        ? hits.offerIds.map((offerId) => ({ offerId, ...highlights.get(offerId) }))
        : [],
    };
  };
}
