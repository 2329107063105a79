import { timestampDate, timestampNow } from "@bufbuild/protobuf/wkt";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { GiveawayState } from "@storefront/contracts/pricing/v1/pricing_service";
import { ICalCalendar } from "ical-generator";
import { z } from "zod";
import { zString } from "../../records/members.ts";
import { zLocale } from "../../schemas/parameters.ts";
import { storedPlatforms, zPlatforms } from "../../schemas/platforms.ts";
import type { RequestContext } from "../../upstream/request-context.ts";
import {
  atomOf,
  findTitles,
  jsonFeedOf,
  offerPath,
  onOneLine,
  zAtomFeed,
  zJsonFeed,
} from "../news-feed.ts";
import type { NewsFeed } from "../news-feed.ts";
import { webFeed } from "../rest-operation.ts";

const zFreeGameFeedInput = z.object({ platform: zPlatforms, locale: zLocale });

type FreeGameFeedInput = z.output<typeof zFreeGameFeedInput>;

interface FreeGameEntry {
  readonly giveawayId: string;
  /** On one line, without characters that XML and calendars cannot hold. */
  readonly title: string;
  readonly text: string;
  readonly startDate: Date;
  readonly endDate: Date | undefined;
  /** Page of the offer, on the gateway. */
  readonly path: string;
}

/** Most giveaways of each state in a feed. */
const maxOfState = {
  [GiveawayState.CURRENT]: 500,
  [GiveawayState.UPCOMING]: 500,
  [GiveawayState.PAST]: 100,
  [GiveawayState.BEGUN]: 100,
};

/** Giveaways in these states now, state by state. Those without a known start are left out. */
async function listFreeGameEntries(
  ctx: RequestContext,
  { platform, locale }: FreeGameFeedInput,
  states: readonly (keyof typeof maxOfState)[],
): Promise<FreeGameEntry[]> {
  const platforms = storedPlatforms(platform);
  // One time for all states, so that no giveaway is in two of them.
  const at = timestampNow();
  const responses = await Promise.all(
    states.map((state) =>
      ctx.clients.pricing.listGiveaways(ctx, { state, platforms, at, pageSize: maxOfState[state] }),
    ),
  );
  const giveaways = responses.flatMap((response) => response.giveaways);
  const offerIds = giveaways.flatMap(({ offerId }) => offerId ?? []);
  const titles = await findTitles(ctx, offerIds, locale);
  return giveaways.flatMap((giveaway) => entryOf(giveaway, titles) ?? []);
}

function entryOf(
  { id, offerId = "", title, platform, startDate, endDate }: Giveaway,
  titles: ReadonlyMap<string, string | null>,
): FreeGameEntry | undefined {
  if (startDate === undefined) return undefined;
  const start = timestampDate(startDate);
  const end = endDate && timestampDate(endDate);
  return {
    giveawayId: id,
    title: onOneLine(titles.get(offerId) ?? title ?? id),
    text: `Free on ${onOneLine(platform ?? "desktop")} from ${start.toISOString()}, ${end === undefined ? "without an announced end" : `until ${end.toISOString()}`}.`,
    startDate: start,
    endDate: end,
    path: titles.has(offerId) ? offerPath(offerId) : "/explorer/",
  };
}

/** Giveaways that have begun, newest start first, at most 100. */
async function freeGamesFeed(
  ctx: RequestContext,
  input: FreeGameFeedInput,
  path: string,
): Promise<NewsFeed> {
  const entries = await listFreeGameEntries(ctx, input, [GiveawayState.BEGUN]);
  return {
    id: "urn:storefront:free-games",
    title: "Free games",
    path,
    updated: entries[0]?.startDate ?? new Date(0),
    entries: entries.map((entry) => ({
      ...entry,
      id: `urn:storefront:giveaway:${encodeURIComponent(entry.giveawayId)}`,
      date: entry.startDate,
    })),
  };
}

const freeGameFeed = {
  tag: "free games",
  cost: 6,
  input: zFreeGameFeedInput,
  failures: [503],
} as const;

const atomPath = "/free-games/feed.atom";
const jsonPath = "/free-games/feed.json";

export const getFreeGamesAtomFeed = webFeed({
  ...freeGameFeed,
  path: atomPath,
  operationId: "getFreeGamesAtomFeed",
  summary: "Follow giveaways in a feed reader",
  description:
    "An Atom feed (RFC 4287) of giveaways that have begun, newest start first, at most 100; an entry is as old as its giveaway's start.",
  contentType: "application/atom+xml; charset=utf-8",
  output: zAtomFeed,
  write: async ({ ctx, input, publicUrl }) =>
    atomOf(await freeGamesFeed(ctx, input, atomPath), publicUrl),
});

export const getFreeGamesJsonFeed = webFeed({
  ...freeGameFeed,
  path: jsonPath,
  operationId: "getFreeGamesJsonFeed",
  summary: "Follow giveaways in a feed reader, as JSON",
  description: "The entries of `getFreeGamesAtomFeed` as a JSON Feed of version 1.1.",
  contentType: "application/feed+json; charset=utf-8",
  output: zJsonFeed,
  write: async ({ ctx, input, publicUrl }) =>
    jsonFeedOf(await freeGamesFeed(ctx, input, jsonPath), publicUrl),
});

export const getFreeGamesCalendar = webFeed({
  ...freeGameFeed,
  path: "/free-games/feed.ics",
  operationId: "getFreeGamesCalendar",
  summary: "Follow giveaways in a calendar",
  description:
    "An iCalendar (RFC 5545) to subscribe to: giveaways that hold now, those to come, and the last 100 that are over, each an event. One without an announced end has no `DTEND`.",
  contentType: "text/calendar; charset=utf-8",
  output: zString(
    "An iCalendar document.",
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Storefront//Free games//EN\r\nEND:VCALENDAR",
  ),
  write: async ({ ctx, input, publicUrl }) => {
    const entries = await listFreeGameEntries(ctx, input, [
      GiveawayState.CURRENT,
      GiveawayState.UPCOMING,
      GiveawayState.PAST,
    ]);
    const calendar = new ICalCalendar({
      name: "Free games",
      prodId: { company: "Storefront", product: "Free games", language: "EN" },
    });
    for (const { giveawayId, title, text, startDate, endDate, path } of entries) {
      calendar.createEvent({
        // Percent-encoded, since the library does not escape it.
        id: `giveaway-${encodeURIComponent(giveawayId)}@storefront`,
        // The request's time would make another file of every response.
        stamp: startDate,
        lastModified: startDate,
        start: startDate,
        // An end must be after the start.
        ...(endDate !== undefined && endDate > startDate && { end: endDate }),
        summary: title,
        description: text,
        ...(publicUrl !== undefined && { url: publicUrl + path }),
      });
    }
    return calendar.toString();
  },
});
