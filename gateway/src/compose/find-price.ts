import { timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { asOfferId } from "@storefront/identifiers";
import type { OfferId, Region } from "@storefront/identifiers";
import type { PricePoint } from "../schemas/price-point.ts";
import { pricePointOf } from "../shape/price-point.ts";
import { callUpstream } from "../upstream/call-upstream.ts";
import type { CallScope } from "../upstream/call-scope.ts";
import { pricesOf } from "../upstream/clients.ts";
import type { FoundOffer, FoundPrice } from "../upstream/clients.ts";
import { notePriceWithLows } from "../upstream/lookup-reads.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";

/** How long an answer waits for prices that it can do without. */
export const priceBudgetMs = 1000;

/**
 * The offers of prices whose lows are wanted, in the order of the prices: what was before an offer's
 * release is no low. Undefined where no lows are.
 */
export type LowsFor = Promise<readonly (FoundOffer | undefined)[]> | undefined;

type FoundPrices = readonly (FoundPrice | undefined)[];

/** The price of one offer in a region; undefined when it has none there. */
export async function findPrice(
  ctx: RequestContext,
  offerId: OfferId,
  region: Region,
  lowsFor?: LowsFor,
): Promise<FoundPrice | undefined> {
  const prices = await loadPrices(ctx, ctx, [offerId], region, lowsFor);
  const late = lateReleases(prices, await lowsFor);
  const [price] = late.length === 0 ? prices : await findAgain(ctx, ctx, prices, late, region);
  return price;
}

/**
 * The prices shown inside offers, in the order of the ids; null for an offer without one, and for
 * every offer when pricing is unavailable or too slow.
 */
export async function findShownPrices(
  ctx: RequestContext,
  offerIds: readonly OfferId[],
  region: Region,
  lowsFor?: LowsFor,
): Promise<(PricePoint | null)[]> {
  if (offerIds.length === 0) return [];
  let first: FoundPrices | undefined;
  const whole = await bestEffort(ctx, "pricing", priceBudgetMs, async (scope) => {
    first = await loadPrices(ctx, scope, offerIds, region, lowsFor);
    const late = lateReleases(first, await lowsFor);
    return late.length === 0 ? first : await findAgain(ctx, scope, first, late, region);
  });
  // Prices without their lows are more than none; the answer is known to lack a part.
  const prices = whole ?? first?.map((found) => found && { ...found, lows: undefined });
  return offerIds.map((_id, index) => {
    const found = prices?.[index];
    return found === undefined ? null : pricePointOf(found.price, found.lows);
  });
}

async function loadPrices(
  { clients }: RequestContext,
  scope: CallScope,
  offerIds: readonly OfferId[],
  region: Region,
  lowsFor: LowsFor,
): Promise<FoundPrices> {
  const load = lowsFor === undefined ? clients.loadPrices : clients.loadPricesWithLows;
  return await load(scope, region, offerIds);
}

interface Release {
  readonly offerId: string;
  readonly releasedAt: Timestamp;
}

/** Of offers that were released after the first of their prices on record. */
function lateReleases(
  prices: FoundPrices,
  offers: readonly (FoundOffer | undefined)[] = [],
): Release[] {
  return prices.flatMap((found, index) => {
    const since = found?.lows?.since;
    const releasedAt = offers[index]?.offer.releaseDate;
    if (found === undefined || since === undefined || releasedAt === undefined) return [];
    const isLate = timestampMs(releasedAt) > timestampMs(since);
    return isLate ? [{ offerId: found.price.offerId, releasedAt }] : [];
  });
}

/** The prices with the lows since those releases, which pricing does not know; most offers need none of it. */
async function findAgain(
  { clients, reads }: RequestContext,
  scope: CallScope,
  prices: FoundPrices,
  releases: readonly Release[],
  region: Region,
): Promise<FoundPrices> {
  const offerIds = releases.map(({ offerId }) => offerId);
  const answer = await callUpstream(scope, "pricing.BatchGetPrices", (options) =>
    clients.pricing.batchGetPrices(
      { offerIds, region, withLows: true, releases: [...releases] },
      options,
    ),
  );
  const again = pricesOf(answer);
  if (reads !== undefined) {
    for (const id of offerIds) notePriceWithLows(reads, region, asOfferId(id), again.get(id));
  }
  const asked = new Set(offerIds);
  return prices.map((found) =>
    found !== undefined && asked.has(found.price.offerId) ? again.get(found.price.offerId) : found,
  );
}
