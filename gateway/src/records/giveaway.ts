import type { Giveaway as GiveawayRecord } from "@storefront/contracts/pricing/v1/giveaway";
import type { z } from "zod";
import { instantOf } from "./instant.ts";
import { zInstant, zList, zObject, zString, zText } from "./members.ts";
import { zOffer, zOfferPrice, zPricedOffer } from "./offer.ts";
import type { Mapped } from "./mapped-fields.ts";

export const zGiveaway = zObject("Giveaway", "A time during which an offer costs nothing.", {
  id: zString("Id of the giveaway.", "g-2026-03-calluna"),
  offerId: zText("The offer that costs nothing.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
  platform: zText("`android`, `ios`; null for desktop.", "android"),
  title: zText("Title of the offer.", "Moonlit Harbour"),
  namespace: zText("Sandbox of the offer.", "calluna"),
  startDate: zInstant("When it begins; null when unknown."),
  endDate: zInstant("When it ends; null when unknown."),
});

export type Giveaway = z.output<typeof zGiveaway>;

/** An offer that costs nothing at present, its price last. */
export const zMobileFreeGame = zObject("MobileFreeGame", "A current giveaway with its offer.", {
  ...zOffer.shape,
  giveaway: zGiveaway
    .extend({
      historical: zList(zGiveaway, "Earlier giveaways on any platform, newest first."),
    })
    .meta({ id: "CurrentGiveaway", description: "A giveaway that is on, and those before it." }),
  price: zOfferPrice,
});

export type MobileFreeGame = z.output<typeof zMobileFreeGame>;

export const zFreeGame = zGiveaway
  .extend({
    offer: zPricedOffer
      .nullable()
      .meta({ description: "The offer that costs nothing; null when it is not known." }),
  })
  .meta({ id: "FreeGame", description: "A giveaway with its offer." });

interface OfferNames {
  title?: string | null | undefined;
  namespace?: string | null | undefined;
}

/** A missing title and namespace are those of the offer. */
export function giveawayOf(
  record: GiveawayRecord,
  offer: OfferNames | null | undefined,
): Mapped<Giveaway, GiveawayRecord> {
  return {
    id: record.id,
    offerId: record.offerId ?? null,
    platform: record.platform ?? null,
    title: record.title ?? offer?.title ?? null,
    namespace: record.namespace ?? offer?.namespace ?? null,
    startDate: instantOf(record.startDate),
    endDate: instantOf(record.endDate),
  };
}
