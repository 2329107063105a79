import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { inOrder } from "./find-records.ts";
import { records } from "./records.ts";

const findPrice = (region: string) => (id: string) =>
  records.prices.find((price) => price.offerId === id && price.region === region);

/** What the pricing answers of the records in memory. */
export const pricingHandlers: Partial<ServiceImpl<typeof PricingService>> = {
  batchGetPrices: ({ offerIds, region }) => ({ prices: inOrder(offerIds, findPrice(region)) }),
  listDiscountedPrices: ({ offerIds, region }) => ({
    prices: inOrder(offerIds, findPrice(region)).filter(
      ({ price }) => (price?.discount ?? 0n) > 0n,
    ),
  }),
  listPriceHistory: ({ offerId, region }) => {
    const prices = records.prices.filter(
      (price) => price.offerId === offerId && price.region === region,
    );
    return { prices, totalSize: BigInt(prices.length) };
  },
  listCurrentGiveaways: () => ({
    ...records.giveawayValidity,
    currentGiveaways: records.giveaways.map((giveaway) => ({
      giveaway,
      historical:
        giveaway.id === "g1" ? [create(GiveawaySchema, { id: "g0", offerId: "full" })] : [],
    })),
  }),
  listOfferGiveaways: ({ offerId }) => ({
    giveaways: records.giveaways.filter((giveaway) => giveaway.offerId === offerId),
  }),
  listGivenAwayOffers: () => ({ ...records.giveawayValidity, offerIds: ["full", "gone"] }),
};
