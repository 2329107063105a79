import { ListRankedOffersRequestSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { pageOf } from "@storefront/rpc";
import type { RankingStore } from "../store/ranking-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function listRankedOffers(deps: {
  rankings: RankingStore;
}): CatalogHandlers["listRankedOffers"] {
  return async (request) => {
    const { pageSize } = pageOf(ListRankedOffersRequestSchema, request);

    const rows = await deps.rankings.best(request.offerTypes, pageSize);
    return {
      rankedOffers: rows.map(({ offer_id, position }) => ({ offerId: offer_id, position })),
    };
  };
}
