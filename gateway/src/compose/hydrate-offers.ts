import type { Locale, OfferId, Region } from "@storefront/domain/identifiers";
import type { PricedOffer } from "../records/offer.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { findShownPrices } from "./find-price.ts";
import { localiseOffer, requestLocale } from "./localise-offer.ts";

/**
 * Offers as lists show them: in the locale, each with its price in the region, in the order of the
 * ids, undefined in the place of an unknown one. Two calls, however many they are.
 *
 * @param withLows whether prices come with their lows
 */
export async function hydrateOffers(
  ctx: RequestContext,
  offerIds: readonly OfferId[],
  locale: Locale,
  region: Region,
  withLows: boolean,
): Promise<(PricedOffer | undefined)[]> {
  const finding = ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
  const [offers, prices] = await Promise.all([
    finding,
    findShownPrices(ctx, offerIds, region, withLows ? finding : undefined),
  ]);
  return offers.map(
    (found, index) => found && { ...localiseOffer(found, locale), price: prices[index] ?? null },
  );
}
