import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { localiseOffer } from "../../../compose/localise-offer.ts";
import type { MobileFreeGame } from "../../../schemas/mobile-free-game.ts";
import type { PricePoint } from "../../../schemas/price-point.ts";
import { giveawayOf } from "../../../shape/giveaway.ts";
import type { FoundOffer } from "../../../upstream/clients.ts";

/** What an entry is made of. */
export interface MobileFreeGameParts {
  giveaway: Giveaway;
  /** The earlier giveaways of the offer, newest first. */
  historical: Giveaway[];
  found: FoundOffer;
  price: PricePoint | null;
  locale: string;
}

/** A giveaway as an entry of the list: its offer, with the giveaway and the price last. */
export function mobileFreeGameOf(parts: MobileFreeGameParts): MobileFreeGame {
  const { giveaway, historical, found, price, locale } = parts;
  const shown = giveawayOf(giveaway, found.offer);
  return {
    ...localiseOffer(found, locale),
    giveaway: {
      ...shown,
      historical: historical.map((earlier) => giveawayOf(earlier, found.offer)),
    },
    price,
  };
}
