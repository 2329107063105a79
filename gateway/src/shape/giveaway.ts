import type { Giveaway as GiveawayRecord } from "@storefront/contracts/pricing/v1/giveaway";
import type { Giveaway } from "../schemas/mobile-free-game.ts";
import { instantOf } from "./instant.ts";
import type { Shows } from "./shows.ts";

/** What an offer lends to a giveaway that does not say it. */
interface OfferNames {
  title?: string | null | undefined;
  namespace?: string | null | undefined;
}

/** A stored giveaway as REST shows it; a missing title and namespace are those of its offer. */
export function giveawayOf(
  record: GiveawayRecord,
  offer: OfferNames | null | undefined,
): Shows<Giveaway, GiveawayRecord> {
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
