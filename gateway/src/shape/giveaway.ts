import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Giveaway as GiveawayRecord } from "@storefront/contracts/pricing/v1/giveaway";
import type { Giveaway } from "../schemas/mobile-free-game.ts";
import { instantOf } from "./instant.ts";

/** A stored giveaway as REST shows it; a missing title and namespace are those of its offer. */
export function giveawayOf(record: GiveawayRecord, offer: Offer | undefined): Giveaway {
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
