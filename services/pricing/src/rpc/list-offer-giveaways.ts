import { ListOfferGiveawaysResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { asOfferId } from "@storefront/identifiers";
import { encodedOf } from "@storefront/rpc";
import type { GiveawayStore } from "../store/giveaway-store.ts";
import type { PricingHandlers } from "./handlers.ts";

const maxGiveaways = 1_000;

export function listOfferGiveaways(deps: {
  giveaways: GiveawayStore;
}): PricingHandlers["listOfferGiveaways"] {
  return async ({ offerId }) => {
    const stored = await deps.giveaways.ofOffer(asOfferId(offerId), maxGiveaways);
    return encodedOf(ListOfferGiveawaysResponseSchema, {
      giveaways: stored.map(({ record }) => record),
    });
  };
}
