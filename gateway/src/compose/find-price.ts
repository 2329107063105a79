import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PricePoint } from "../schemas/price-point.ts";
import { pricePointOf } from "../shape/price-point.ts";
import { noted } from "../upstream/call-upstream.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { bestEffort } from "./best-effort.ts";

/** How long an answer waits for prices that it can do without. */
export const priceBudgetMs = 1000;

/** The price of one offer in a region; undefined when it has none there. */
export async function findPrice(
  ctx: RequestContext,
  offerId: string,
  region: string,
): Promise<OfferPrice | undefined> {
  const [price] = await noted(ctx, "pricing.BatchGetPrices", () =>
    ctx.clients.loadPrices(ctx, region, [offerId]),
  );
  return price;
}

/**
 * The prices shown inside offers, in the order of the ids; null for an offer without one, and for
 * every offer when pricing is unavailable or too slow.
 */
export async function findShownPrices(
  ctx: RequestContext,
  offerIds: readonly string[],
  region: string,
): Promise<(PricePoint | null)[]> {
  if (offerIds.length === 0) return [];
  const prices = await bestEffort(ctx, "pricing", priceBudgetMs, (scope) =>
    noted(scope, "pricing.BatchGetPrices", () => ctx.clients.loadPrices(scope, region, offerIds)),
  );
  return offerIds.map((_id, index) => {
    const price = prices?.[index];
    return price === undefined ? null : pricePointOf(price);
  });
}
