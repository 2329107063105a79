import type { Catalogue } from "./catalogue.ts";
import type { Model } from "./model.ts";
import { timeOf } from "./order.ts";
import type { GiveawayRecord, OfferRecord } from "./records.ts";

const calendarMax = 500;
const calendarPastMax = 100;
const newsMax = 100;

/** An event or an entry of a feed, as readers see it; times in milliseconds since 1970. */
export interface FeedItem {
  id: string;
  title: string;
  start: number;
  end?: number;
}

/** Query of a feed. */
export interface GiveawayFeedQuery {
  /** Giveaways without a platform count as "desktop"; an empty list means all. */
  platforms: readonly string[];
  locale: string;
}

/** The events of `/free-games/feed.ics` at a time, in milliseconds; written from docs/api alone. */
export function calendarOf(
  catalogue: Catalogue,
  model: Model,
  query: GiveawayFeedQuery,
  now: number,
): FeedItem[] {
  const items = itemsOf(catalogue, model, query);
  const endOf = ({ end }: FeedItem) => end ?? Number.POSITIVE_INFINITY;
  const open = items.filter((item) => endOf(item) >= now);
  const current = open.filter(({ start }) => start <= now).toSorted((a, b) => endOf(a) - endOf(b));
  const upcoming = open.filter(({ start }) => start > now).toSorted((a, b) => a.start - b.start);
  const past = items.filter((item) => endOf(item) < now).toSorted((a, b) => endOf(b) - endOf(a));
  return [
    ...current.slice(0, calendarMax),
    ...upcoming.slice(0, calendarMax),
    ...past.slice(0, calendarPastMax),
  ];
}

/** The entries of `/free-games/feed.atom` and `feed.json`, which have no ends. */
export function newsOf(
  catalogue: Catalogue,
  model: Model,
  query: GiveawayFeedQuery,
  now: number,
): FeedItem[] {
  return itemsOf(catalogue, model, query)
    .filter(({ start }) => start <= now)
    .toSorted((a, b) => b.start - a.start)
    .slice(0, newsMax)
    .map(({ id, title, start }) => ({ id, title, start }));
}

function itemsOf(
  catalogue: Catalogue,
  model: Model,
  { platforms, locale }: GiveawayFeedQuery,
): FeedItem[] {
  return [...catalogue.giveaway.values()]
    .filter(({ platform }) => platforms.length === 0 || platforms.includes(platform ?? "desktop"))
    .flatMap((giveaway) => {
      const [start, end] = [timeOf(giveaway.startDate), timeOf(giveaway.endDate)];
      if (start === undefined) return [];
      const title = titleOf(giveaway, model, locale);
      return [{ id: giveaway.id, title, start, ...(end !== undefined && { end }) }];
    });
}

function titleOf(giveaway: GiveawayRecord, model: Model, locale: string): string {
  const result = model.getOffer(giveaway.offerId ?? "", "US", locale);
  const offer = result.status === 200 ? (result.body as OfferRecord) : undefined;
  return offer?.title ?? giveaway.title ?? giveaway.id;
}
