import type { Catalogue } from "./catalogue.ts";
import { newestFirst, timeOf } from "./order.ts";
import type { GiveawayRecord } from "./records.ts";

/** A giveaway, and those of the same offer that began before, newest first. */
interface GiveawayWithPast {
  giveaway: GiveawayRecord;
  earlier: readonly GiveawayRecord[];
}

const startOf = ({ startDate }: GiveawayRecord) => timeOf(startDate) ?? Number.POSITIVE_INFINITY;

/** The mobile giveaways at a time, in milliseconds; newest first. */
export function currentMobileGiveaways(catalogue: Catalogue, now: number): GiveawayWithPast[] {
  const giveaways = [...catalogue.giveaway.values()];
  const current = giveaways.filter(
    (giveaway) =>
      (giveaway.platform === "android" || giveaway.platform === "ios") &&
      startOf(giveaway) <= now &&
      (timeOf(giveaway.endDate) ?? Number.NEGATIVE_INFINITY) >= now,
  );
  return newestGiveawayFirst(current).map((giveaway) => {
    const earlier = giveaways.filter(
      (other) =>
        other.offerId === giveaway.offerId && startOf(other) < (timeOf(giveaway.startDate) ?? 0),
    );
    return { giveaway, earlier: newestGiveawayFirst(earlier) };
  });
}

/** How many offers each seller has given away until a time, in milliseconds. */
export function countFreeGameSellers(catalogue: Catalogue, now: number): Map<string, number> {
  const offers = new Set(
    [...catalogue.giveaway.values()]
      .filter((giveaway) => startOf(giveaway) <= now)
      .map(({ offerId }) => offerId),
  );
  const counts = new Map<string, number>();
  for (const offerId of offers) {
    const seller = catalogue.offer.get(offerId ?? "")?.seller?.id;
    if (typeof seller === "string") counts.set(seller, (counts.get(seller) ?? 0) + 1);
  }
  return counts;
}

function newestGiveawayFirst(giveaways: readonly GiveawayRecord[]): GiveawayRecord[] {
  return newestFirst(
    giveaways,
    ({ startDate }) => startDate,
    ({ id }) => id,
  );
}
