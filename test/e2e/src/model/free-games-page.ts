import type { Catalogue } from "./catalogue.ts";
import type { Expected, Model } from "./model.ts";
import { byCodePoint, pageOf, timeOf } from "./order.ts";
import type { GiveawayRecord, OfferRecord } from "./records.ts";

export type GiveawayState = "current" | "upcoming" | "past";

/** Query of `listFreeGames`. */
export interface FreeGamesQuery {
  state: GiveawayState;
  /** Giveaways without a platform count as "desktop"; an empty list means all. */
  platforms: readonly string[];
  country: string;
  locale: string;
  page: number;
  limit: number;
}

/** What `listFreeGames` returns at a time, in milliseconds, written from docs/api alone. */
export function freeGamesPageOf(
  catalogue: Catalogue,
  model: Model,
  { state, platforms, country, locale, page, limit }: FreeGamesQuery,
  now: number,
): Expected {
  const listed = [...catalogue.giveaway.values()]
    .filter((giveaway) => stateOf(giveaway, now) === state)
    .filter(({ platform }) => platforms.length === 0 || platforms.includes(platform ?? "desktop"))
    .toSorted((a, b) => orders[state](a, b) || byCodePoint(a.id, b.id));
  const elements = pageOf(listed, page, limit).map((giveaway) => {
    const result = model.getOffer(giveaway.offerId ?? "", country, locale);
    const offer = result.status === 200 ? (result.body as OfferRecord) : null;
    return {
      ...giveaway,
      title: giveaway.title ?? offer?.title,
      namespace: giveaway.namespace ?? offer?.namespace,
      offer,
    };
  });
  return { status: 200, body: { elements, page, limit, total: listed.length } };
}

/** Start and end are inclusive, and a giveaway without an end continues. */
function stateOf({ startDate, endDate }: GiveawayRecord, now: number): GiveawayState | undefined {
  const [start, end] = [timeOf(startDate), timeOf(endDate)];
  if (end !== undefined && end < now) return "past";
  if (start === undefined) return undefined;
  return start > now ? "upcoming" : "current";
}

const startOf = ({ startDate }: GiveawayRecord) => timeOf(startDate) ?? 0;
const endOf = ({ endDate }: GiveawayRecord) => timeOf(endDate) ?? Number.MAX_SAFE_INTEGER;

const orders: Record<GiveawayState, (a: GiveawayRecord, b: GiveawayRecord) => number> = {
  current: (a, b) => endOf(a) - endOf(b),
  upcoming: (a, b) => startOf(a) - startOf(b),
  past: (a, b) => endOf(b) - endOf(a),
};
