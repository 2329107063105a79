import { RequestCheck } from "@storefront/rpc";
import type { RankingStore } from "../store/ranking-store.ts";
import { checkFilter } from "./checks.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function listRankedOffers(deps: {
  rankings: RankingStore;
}): CatalogHandlers["listRankedOffers"] {
  return async (request) => {
    const check = new RequestCheck();
    checkFilter(check, "offer_types", request.offerTypes);
    const pageSize = check.pageSize("page_size", request.pageSize, {
      defaultSize: 1_000,
      maxSize: 10_000,
    });
    check.done();

    const rows = await deps.rankings.best(request.offerTypes, pageSize);
    return {
      rankedOffers: rows.map(({ offer_id, position }) => ({ offerId: offer_id, position })),
    };
  };
}
