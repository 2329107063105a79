import type { ServiceImpl } from "@connectrpc/connect";
import { ListOfferGiveawaysResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { GiveawayStore } from "../store/giveaway-store.ts";

const maxGiveaways = 1_000;
const { giveaways } = ListOfferGiveawaysResponseSchema.field;

/** The giveaways of one offer on any platform, newest start first. */
export function listOfferGiveaways(
  store: GiveawayStore,
): ServiceImpl<typeof PricingService>["listOfferGiveaways"] {
  return async ({ offerId }) => {
    const stored = await store.ofOffer(offerId, maxGiveaways);
    const records = stored.map(({ record }) => record);
    return encoded(
      ListOfferGiveawaysResponseSchema,
      new EncodedWriter().messages(giveaways.number, records).finish(),
    );
  };
}
