import { RequestCheck } from "@storefront/rpc";
import { offerFilter } from "../domain/offer-filter.ts";
import { offerOrder } from "../domain/offer-order.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { SearchHandlers } from "./handlers.ts";
import { checkQuery, queryOf } from "./query-messages.ts";
import { aggregationsAsked } from "./aggregations-asked.ts";
import { aggregationsMessage } from "./search-answers.ts";

const limits = { defaultSize: 10, maxSize: 100, maxOffset: 10_000 };

export function searchOffers(deps: { engine: SearchEngine }): SearchHandlers["searchOffers"] {
  return async (request) => {
    const check = new RequestCheck();
    checkQuery(check, request.query);
    check.identifier("region", request.region);
    const { offset, pageSize } = check.page(request, limits);
    const aggregations = aggregationsAsked(check, request.aggregations);
    check.done();

    const query = queryOf(request.query);
    const startMs = performance.now();
    const hits = await deps.engine.searchOffers({
      filter: offerFilter(query),
      order: offerOrder(query).order,
      region: request.region,
      nowMs: Date.now(),
      offset,
      limit: request.countsOnly ? 0 : pageSize,
      aggregations,
    });
    return {
      offerIds: [...hits.offerIds],
      totalSize: BigInt(hits.total),
      ...(aggregations.length === 0
        ? {}
        : { aggregations: aggregationsMessage(hits.aggregations) }),
      engineMs: performance.now() - startMs,
      timedOut: hits.isTimedOut,
    };
  };
}
