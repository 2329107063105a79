import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { PriceExclusion, PriceLowsSchema } from "@storefront/contracts/pricing/v1/price_lows";
import type { PriceLowSchema } from "@storefront/contracts/pricing/v1/price_lows";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import {
  BatchGetPricesResponseSchema,
  GetPriceResponseSchema,
  ListDiscountedPricesRequestSchema,
  ListDiscountedPricesResponseSchema,
  ListOfferPricesResponseSchema,
  ListPriceHistoryRequestSchema,
  ListPriceHistoryResponseSchema,
} from "@storefront/contracts/pricing/v1/pricing_service";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { asOfferId, asRegion } from "@storefront/domain/identifiers";
import type { OfferId, Region } from "@storefront/domain/identifiers";
import { lowsOf, pastOfMessage } from "@storefront/domain/price-lows";
import type { PriceLow } from "@storefront/domain/price-lows";
import { encodedOf, notFound, pageOf } from "@storefront/rpc";
import type { ServiceError } from "@storefront/rpc";
import type { PriceStore } from "../store/price-store.ts";
import { instantOf, validForMs } from "./handlers.ts";
import type { PricingHandlers } from "./handlers.ts";

const exclusionOf = {
  giveaway: PriceExclusion.GIVEAWAY,
  beforeRelease: PriceExclusion.BEFORE_RELEASE,
  otherCurrency: PriceExclusion.OTHER_CURRENCY,
} as const;

export function priceHandlers(deps: { prices: PriceStore }) {
  return {
    async getPrice({ withLows, releasedAt, lowsAt, ...request }) {
      const offerId = asOfferId(request.offerId);
      const region = asRegion(request.region);
      if (withLows) {
        const found = await deps.prices.priceWithPastOf(offerId, region);
        if (found === undefined) throw priceNotFound(offerId, region);
        const lows = encodeLows(found.past, instantOf(lowsAt), releasedAt);
        return encodedOf(GetPriceResponseSchema, { price: found.record, lows });
      }
      const price = await deps.prices.priceOf(offerId, region);
      if (price === undefined) throw priceNotFound(offerId, region);
      return encodedOf(GetPriceResponseSchema, { price });
    },

    async batchGetPrices(request) {
      const offerIds = [...new Set(request.offerIds)].map(asOfferId);
      const region = asRegion(request.region);
      const { withLows, withPasts } = request;
      if (!withLows && !withPasts) {
        const prices = await deps.prices.pricesOf(offerIds, region);
        return encodedOf(BatchGetPricesResponseSchema, { prices });
      }
      const found = await deps.prices.pricesWithPastsOf(offerIds, region);
      const at = instantOf(request.lowsAt);
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
    },

    async listOfferPrices(request) {
      const offerId = asOfferId(request.offerId);
      const { withLows, withPasts } = request;
      if (!withLows && !withPasts) {
        const prices = await deps.prices.everyPriceOf(offerId);
        return encodedOf(ListOfferPricesResponseSchema, { prices });
      }
      const found = await deps.prices.everyPriceWithPastOf(offerId);
      const at = instantOf(request.lowsAt);
      return encodedOf(ListOfferPricesResponseSchema, {
        prices: found.map(({ record }) => record),
        lows: withLows ? found.map(({ past }) => encodeLows(past, at, request.releasedAt)) : null,
        pasts: withPasts ? found.map(({ past }) => past) : null,
      });
    },

    async listDiscountedPrices(request) {
      const offerIds = [...new Set(request.offerIds)].map(asOfferId);
      const limit = pageOf(ListDiscountedPricesRequestSchema, request).pageSize;

      const prices = await deps.prices.discountedPricesOf(
        offerIds,
        asRegion(request.region),
        limit,
      );
      return encodedOf(ListDiscountedPricesResponseSchema, { prices });
    },

    async listPriceHistory(request) {
      const offerId = asOfferId(request.offerId);
      const region = asRegion(request.region);
      const { pageSize, offset } = pageOf(ListPriceHistoryRequestSchema, request);

      const { records, total } = await deps.prices.historyOf(offerId, region, pageSize, offset);
      return encodedOf(ListPriceHistoryResponseSchema, { prices: records, totalSize: total });
    },
  } satisfies PricingHandlers;
}

/**
 * The lows of a price as a serialized PriceLows message.
 *
 * @param past a serialized PricePast message
 */
function encodeLows(past: Uint8Array, at: Date, releasedAt: Timestamp | undefined): Uint8Array {
  const { sinceMs, ever, days365, days90, days30, reduction, excluded, changesAtMs } = lowsOf(
    pastOfMessage(fromBinary(PricePastSchema, past)),
    {
      atMs: at.getTime(),
      releasedAtMs: releasedAt && timestampMs(releasedAt),
    },
  );
  const lows = create(PriceLowsSchema, {
    ...(sinceMs !== null && { since: timestampFromMs(sinceMs) }),
    ever: lowMessage(ever),
    days365: lowMessage(days365),
    days90: lowMessage(days90),
    days30: lowMessage(days30),
    exclusions: excluded.map((exclusion) => exclusionOf[exclusion]),
    validForMs: BigInt(validForMs(at, changesAtMs === null ? null : new Date(changesAtMs))),
    ...(reduction !== null && {
      reduction: {
        since: timestampFromMs(reduction.sinceMs),
        ...(reduction.priceBefore !== null && { priceBefore: BigInt(reduction.priceBefore) }),
        ...(reduction.lowest30DaysBefore !== null && {
          lowest30DaysBefore: BigInt(reduction.lowest30DaysBefore),
        }),
      },
    }),
  });
  return toBinary(PriceLowsSchema, lows);
}

function lowMessage(low: PriceLow | null): MessageInitShape<typeof PriceLowSchema> | undefined {
  if (low === null) return undefined;
  return {
    discountPrice: BigInt(low.discountPrice),
    firstAt: timestampFromMs(low.firstAtMs),
    ...(low.lastAtMs !== null && { lastAt: timestampFromMs(low.lastAtMs) }),
  };
}

function priceNotFound(offerId: OfferId, region: Region): ServiceError {
  const message = "the offer has no price in the region";
  return notFound(ErrorReason.PRICE_NOT_FOUND, message, { offerId, region });
}
