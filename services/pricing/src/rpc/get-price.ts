import { GetPriceResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId, asRegion } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { encodeLows } from "./encode-lows.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";
import { priceNotFound } from "./not-found-errors.ts";

export function getPrice(deps: { prices: PriceStore }): PricingHandlers["getPrice"] {
  return async ({ withLows, releasedAt, lowsAt, ...asked }) => {
    const offerId = asOfferId(asked.offerId);
    const region = asRegion(asked.region);
    if (withLows) {
      const found = await deps.prices.priceWithPastOf(offerId, region);
      if (found === undefined) throw priceNotFound(offerId, region);
      const lows = encodeLows(found.past, instantAsked(lowsAt), releasedAt);
      return encodedOf(GetPriceResponseSchema, { price: found.record, lows });
    }
    const price = await deps.prices.priceOf(offerId, region);
    if (price === undefined) throw priceNotFound(offerId, region);
    return encodedOf(GetPriceResponseSchema, { price });
  };
}
