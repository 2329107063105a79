import { ListOfferPricesResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { encodeLows } from "./encode-lows.ts";
import type { PricingHandlers } from "./handlers.ts";
import { instantAsked } from "./instant-asked.ts";

export function listOfferPrices(deps: { prices: PriceStore }): PricingHandlers["listOfferPrices"] {
  return async (request) => {
    const offerId = asOfferId(request.offerId);
    const { withLows, withPasts } = request;
    if (!withLows && !withPasts) {
      const prices = await deps.prices.everyPriceOf(offerId);
      return encodedOf(ListOfferPricesResponseSchema, { prices });
    }
    const found = await deps.prices.everyPriceWithPastOf(offerId);
    const at = instantAsked(request.lowsAt);
    return encodedOf(ListOfferPricesResponseSchema, {
      prices: found.map(({ record }) => record),
      lows: withLows ? found.map(({ past }) => encodeLows(past, at, request.releasedAt)) : null,
      pasts: withPasts ? found.map(({ past }) => past) : null,
    });
  };
}
