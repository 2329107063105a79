import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { PriceExclusion, PriceLowsSchema } from "@storefront/contracts/pricing/v1/price_lows";
import type { PriceLowSchema } from "@storefront/contracts/pricing/v1/price_lows";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import { lowsOf, pastOfMessage } from "@storefront/price-lows";
import type { PriceLow } from "@storefront/price-lows";
import { validForMs } from "../domain/valid-for-ms.ts";

const exclusionOf = {
  giveaway: PriceExclusion.GIVEAWAY,
  beforeRelease: PriceExclusion.BEFORE_RELEASE,
  otherCurrency: PriceExclusion.OTHER_CURRENCY,
} as const;

/**
 * The lows of a price as a serialized PriceLows message.
 *
 * @param past a serialized PricePast message
 */
export function encodeLows(
  past: Uint8Array,
  at: Date,
  releasedAt: Timestamp | undefined,
): Uint8Array {
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
