import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { PricePast } from "@storefront/contracts/pricing/v1/price_past";
import type { OfferId, Region } from "@storefront/domain/identifiers";
import { lowsOf, pastOfMessage } from "@storefront/domain/price-lows";
import type { PriceLows } from "@storefront/domain/price-lows";
import type { PricePoint } from "../records/price.ts";
import { pricePointOf } from "../records/price.ts";
import type { CallScope } from "../upstream/call-scope.ts";
import type { FoundOffer, FoundPrice } from "../upstream/clients.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";

/** How long a response waits for optional prices, in milliseconds. */
export const priceBudgetMs = 1000;

/**
 * The offers of prices whose lows are requested, in the order of the prices: a price before an offer's release is no low.
 * Undefined for prices without lows.
 */
export type LowsFor = Promise<readonly (FoundOffer | undefined)[]> | undefined;

/** The price of one offer in a region; undefined when it has none there. */
export async function findPrice(
  ctx: RequestContext,
  offerId: OfferId,
  region: Region,
  lowsFor?: LowsFor,
): Promise<PricePoint | undefined> {
  const prices = await loadPrices(ctx, ctx, [offerId], region, lowsFor);
  const [price] = await shownPrices(ctx, prices, lowsFor);
  return price ?? undefined;
}

/** The prices inside offers, in the order of the ids; null for an offer without one, and when pricing fails or is too slow. */
export async function findShownPrices(
  ctx: RequestContext,
  offerIds: readonly OfferId[],
  region: Region,
  lowsFor?: LowsFor,
): Promise<(PricePoint | null)[]> {
  if (offerIds.length === 0) return [];
  const prices = await bestEffort(ctx, "pricing", priceBudgetMs, (scope) =>
    loadPrices(ctx, scope, offerIds, region, lowsFor),
  );
  return prices === undefined ? offerIds.map(() => null) : await shownPrices(ctx, prices, lowsFor);
}

async function loadPrices(
  { clients }: RequestContext,
  scope: CallScope,
  offerIds: readonly OfferId[],
  region: Region,
  lowsFor: LowsFor,
): Promise<readonly (FoundPrice | undefined)[]> {
  const load = lowsFor === undefined ? clients.loadPrices : clients.loadPricesWithPasts;
  return await load(scope, region, offerIds);
}

async function shownPrices(
  ctx: RequestContext,
  prices: readonly (FoundPrice | undefined)[],
  lowsFor: LowsFor,
): Promise<(PricePoint | null)[]> {
  const offers = await lowsFor;
  return prices.map((found, index) => {
    if (found === undefined) return null;
    return pricePointOf(found.price, offers && currentLows(ctx, found.past, offers[index]));
  });
}

/**
 * The lows of a price at present, recorded as read: time alone changes them as well. Undefined without a past, as from an
 * earlier release of pricing; then no feed vouches for the response.
 *
 * @param found the price's offer: a price before its release is no low
 */
export function currentLows(
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
