import { create } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";
import { inOrder } from "./find-records.ts";
import { records } from "./records.ts";

const findPrice = (region: string) => (id: string) =>
  records.prices.find((price) => price.offerId === id && price.region === region);

function pastsOf(prices: readonly OfferPrice[]) {
  const { past } = records;
  return past === undefined ? {} : { pasts: prices.map(() => past) };
}

function stateNow({ startDate, endDate }: Giveaway): GiveawayState | undefined {
  const now = Date.now();
  if (endDate !== undefined && timestampMs(endDate) < now) return GiveawayState.PAST;
  if (startDate === undefined) return undefined;
  return timestampMs(startDate) <= now ? GiveawayState.CURRENT : GiveawayState.UPCOMING;
}

function startOf({ startDate }: Giveaway): number {
  return startDate === undefined ? Number.POSITIVE_INFINITY : timestampMs(startDate);
}

/** A pricing service over the records in memory. */
export const pricingHandlers: Partial<ServiceImpl<typeof PricingService>> = {
  listRegions: () => ({ regions: records.regions }),
  batchGetPrices: ({ offerIds, region, withPasts }) => {
    const prices = inOrder(offerIds, findPrice(region));
    return { prices, ...(withPasts && pastsOf(prices)) };
  },
  listOfferPrices: ({ offerId, withPasts }) => {
    const prices = records.prices
      .filter((price) => price.offerId === offerId)
      .toSorted((one, other) => (one.region < other.region ? -1 : 1));
    return { prices, ...(withPasts && pastsOf(prices)) };
  },
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
  listGiveaways: ({ state, platforms, page, pageSize }) => {
    const isOn = ({ platform = "" }: Giveaway) =>
      platforms.length === 0 || platforms.includes(platform);
    const giveaways =
      state === GiveawayState.BEGUN
        ? records.giveaways.filter((giveaway) => isOn(giveaway) && startOf(giveaway) <= Date.now())
        : records.giveaways.filter((giveaway) => isOn(giveaway) && stateNow(giveaway) === state);
    if (state === GiveawayState.BEGUN) giveaways.sort((a, b) => startOf(b) - startOf(a));
    const first = (Math.max(page, 1) - 1) * pageSize;
    return {
      ...records.giveawayValidity,
      giveaways: giveaways.slice(first, first + pageSize),
      totalSize: BigInt(giveaways.length),
    };
  },
  listOfferGiveaways: ({ offerId }) => ({
    giveaways: records.giveaways.filter((giveaway) => giveaway.offerId === offerId),
  }),
  listGivenAwayOffers: () => ({ ...records.giveawayValidity, offerIds: ["full", "gone"] }),
};
