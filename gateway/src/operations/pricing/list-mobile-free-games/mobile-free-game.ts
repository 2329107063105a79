import { create } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
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
  /** Undefined when no such offer is known. */
  found: FoundOffer | undefined;
  price: PricePoint | null;
  locale: string;
}

/**
 * A giveaway as an entry of the list. One of an unknown offer stands for itself: its title and
 * namespace are the entry's, everything else about the offer is unknown.
 */
export function mobileFreeGameOf(parts: MobileFreeGameParts): MobileFreeGame {
  const { giveaway, historical, found, price, locale } = parts;
  const shown = giveawayOf(giveaway, found?.offer);
  return {
    ...localiseOffer(found ?? unknownOffer(giveaway), locale),
    id: giveaway.offerId ?? null,
    giveaway: {
      ...shown,
      historical: historical.map((earlier) => giveawayOf(earlier, found?.offer)),
    },
    price,
  };
}

function unknownOffer({ title, namespace }: Giveaway): FoundOffer {
  const offer = create(OfferSchema);
  if (title !== undefined) offer.title = title;
  if (namespace !== undefined) offer.namespace = namespace;
  return { offer, text: undefined };
}
