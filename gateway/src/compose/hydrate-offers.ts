import type { PricedOffer } from "../schemas/offer.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { findOffers } from "./find-offer.ts";
import { findShownPrices } from "./find-price.ts";
import { localiseOffer } from "./localise-offer.ts";

/**
 * Offers as lists show them: in the locale, each with its price in the region, in the order of the
 * ids, undefined in the place of an unknown one. Two calls, however many they are.
 */
export async function hydrateOffers(
  ctx: RequestContext,
  offerIds: readonly string[],
  locale: string,
  region: string,
): Promise<(PricedOffer | undefined)[]> {
  const [offers, prices] = await Promise.all([
    findOffers(ctx, offerIds, locale),
    findShownPrices(ctx, offerIds, region),
  ]);
  return offers.map(
    (found, index) => found && { ...localiseOffer(found, locale), price: prices[index] ?? null },
  );
}
