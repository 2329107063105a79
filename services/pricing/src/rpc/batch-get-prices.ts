import { BatchGetPricesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId, asRegion } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { encodeLows } from "./encode-lows.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";

export function batchGetPrices(deps: { prices: PriceStore }): PricingHandlers["batchGetPrices"] {
  return async (request) => {
    const offerIds = [...new Set(request.offerIds)].map(asOfferId);
    const region = asRegion(request.region);
    const { withLows, withPasts } = request;
    if (!withLows && !withPasts) {
      const prices = await deps.prices.pricesOf(offerIds, region);
      return encodedOf(BatchGetPricesResponseSchema, { prices });
    }
    const found = await deps.prices.pricesWithPastsOf(offerIds, region);
    const at = instantAsked(request.lowsAt);
    const releaseOf = new Map(
      request.releases.map(({ offerId, releasedAt }) => [offerId, releasedAt]),
    );
    return encodedOf(BatchGetPricesResponseSchema, {
      prices: found.map(({ record }) => record),
      lows: withLows
        ? found.map(({ offerId, past }) => encodeLows(past, at, releaseOf.get(offerId)))
        : null,
      pasts: withPasts ? found.map(({ past }) => past) : null,
    });
  };
}
