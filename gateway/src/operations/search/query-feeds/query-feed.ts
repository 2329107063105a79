import { timestampDate } from "@bufbuild/protobuf/wkt";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type { QueryEvent } from "@storefront/contracts/search/v1/search_service";
import { asOfferId } from "@storefront/identifiers";
import type { Locale, Region } from "@storefront/identifiers";
import { z } from "zod";
import { localiseOffer, requestLocale } from "../../../compose/localise-offer.ts";
import { resolveAnyCountry } from "../../../compose/resolve-country.ts";
import { zCountry, zIdentifier, zLocale } from "../../../schemas/parameters.ts";
import { answered } from "../../../upstream/answered.ts";
import { callUpstream } from "../../../upstream/call-upstream.ts";
import type { RequestContext } from "../../../upstream/request-context.ts";
import { offerPath, onOneLine } from "../../news-feed.ts";
import type { NewsEntry, NewsFeed } from "../../news-feed.ts";

/** A saved query, and whom its feed is for. */
export const zQueryFeedInput = z.object({
  id: zIdentifier("Id of the saved query.", "9e107d9d372bb6826bd81d3542a419d6"),
  country: zCountry,
  locale: zLocale,
});

/** What a feed holds at most. */
const maxEntries = 100;

/** What entered and left a saved query, newest first, at most 100. */
export async function queryFeed(
  ctx: RequestContext,
  { id, country: named, locale }: z.output<typeof zQueryFeedInput>,
  fileName: string,
): Promise<NewsFeed> {
  const { country, region } = resolveAnyCountry(ctx, named);
  const name = "search.ListQueryEvents";
  const { events, followedSince } = await callUpstream(ctx, name, (options) =>
    ctx.clients.search.listQueryEvents({ queryId: id, region, pageSize: maxEntries }, options),
  );
  const titles = await findTitles(ctx, events, locale);
  const entries = events.map((event) => entryOf(event, { id, region, titles }));
  const asked = new URLSearchParams({ country, locale });
  return {
    id: `urn:storefront:query:${encodeURIComponent(id)}:${region}`,
    title: `Saved search ${id.slice(0, 8)} in ${region}`,
    path: `/search/${encodeURIComponent(id)}/${fileName}?${asked.toString()}`,
    updated: entries[0]?.date ?? timestampDate(answered(followedSince, name)),
    entries,
  };
}

/** Titles of offers that there are, by id, in the locale. */
async function findTitles(
  ctx: RequestContext,
  events: readonly QueryEvent[],
  locale: Locale,
): Promise<ReadonlyMap<string, string | null>> {
  const offerIds = [...new Set(events.map(({ offerId }) => offerId))].map(asOfferId);
  const found = await ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
  return new Map(
    found.flatMap((offer) =>
      offer === undefined ? [] : [[offer.offer.id, localiseOffer(offer, locale).title]],
    ),
  );
}

function entryOf(
  { id, offerId, type, time }: QueryEvent,
  query: { id: string; region: Region; titles: ReadonlyMap<string, string | null> },
): NewsEntry {
  const title = onOneLine(query.titles.get(offerId) ?? offerId);
  const date = timestampDate(answered(time, "search.ListQueryEvents"));
  const hasEntered = type === QueryEventType.ENTERED;
  return {
    id: `urn:storefront:query:${encodeURIComponent(query.id)}:${query.region}:${id}`,
    title: hasEntered ? `Found: ${title}` : `No longer found: ${title}`,
    text: `${hasEntered ? "Entered" : "Left"} what the saved search finds in ${query.region}, seen at ${date.toISOString()}.`,
    path: query.titles.has(offerId) ? offerPath(offerId) : "/explorer/",
    date,
  };
}
