import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { PricePast } from "@storefront/contracts/pricing/v1/price_past";
import { lowsOf, pastOfMessage } from "@storefront/price-lows";
import type { PriceLows } from "@storefront/price-lows";
import type { CallScope } from "../upstream/call-scope.ts";
import type { FoundOffer } from "../upstream/clients.ts";

/**
 * The lows of a price as of now, noted as read: time alone changes them as well. Undefined where pricing does not tell
 * what they are made of, as that of a release before, and counts as one whose changes no feed tells.
 *
 * @param found the price's offer: what was before its release is no low
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
