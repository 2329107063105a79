import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { PricePast } from "@storefront/contracts/pricing/v1/price_past";
import { lowsOf, pastOfMessage } from "@storefront/domain/price-lows";
import type { PriceLows } from "@storefront/domain/price-lows";
import type { CallScope } from "../upstream/call-scope.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/**
 * The lows of a price at present, recorded as read: time alone changes them as well. Undefined without a past, as from an
 * earlier release of pricing; then no feed vouches for the response.
 *
 * @param found the price's offer: a price before its release is no low
 */
export function lowsNow(
  { reads }: Pick<CallScope, "reads">,
  past: PricePast | undefined,
  found: FoundOffer | undefined,
): PriceLows | undefined {
  if (past === undefined) {
    reads?.noteUnfollowed();
    return undefined;
  }
  const releaseDate = found?.offer.releaseDate;
  const atMs = Date.now();
  const lows = lowsOf(pastOfMessage(past), {
    atMs,
    releasedAtMs: releaseDate && timestampMs(releaseDate),
  });
  if (lows.changesAtMs !== null) reads?.noteValidity(lows.changesAtMs - atMs);
  return lows;
}
