import { timestampDate } from "@bufbuild/protobuf/wkt";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type { QueryEvent } from "@storefront/contracts/search/v1/search_service";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import { zCountry, zQueryId, zLocale } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
import { callUpstream } from "../../upstream/call-upstream.ts";
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
import type { NewsEntry, NewsFeed } from "../news-feed.ts";
import { webFeed } from "../rest-operation.ts";

const zQueryFeedInput = z.object({ id: zQueryId, country: zCountry, locale: zLocale });

const maxEntries = 100;

/** What entered and left a saved query, newest first, at most 100. */
async function queryFeed(
  ctx: RequestContext,
  { id, country: named, locale }: z.output<typeof zQueryFeedInput>,
  fileName: "feed.atom" | "feed.json",
): Promise<NewsFeed> {
  const { country, region } = resolveAnyCountry(ctx, named);
  const name = "search.ListQueryEvents";
  const { events, followedSince } = await callUpstream(ctx, name, (options) =>
    ctx.clients.search.listQueryEvents({ queryId: id, region, pageSize: maxEntries }, options),
  );
  const titles = await findTitles(
    ctx,
    events.map(({ offerId }) => offerId),
    locale,
  );
  const entries = events.map((event) => entryOf(event, { id, region, titles }));
  const asked = new URLSearchParams({ country, locale });
  return {
    id: `urn:storefront:query:${encodeURIComponent(id)}:${region}`,
    title: `Saved search ${id.slice(0, 8)} in ${region}`,
    path: `/search/${encodeURIComponent(id)}/${fileName}?${asked.toString()}`,
    updated: entries[0]?.date ?? timestampDate(requireMember(followedSince, name)),
    entries,
  };
}

function entryOf(
  { id, offerId, type, time }: QueryEvent,
  query: { id: string; region: Region; titles: ReadonlyMap<string, string | null> },
): NewsEntry {
  const title = onOneLine(query.titles.get(offerId) ?? offerId);
  const date = timestampDate(requireMember(time, "search.ListQueryEvents"));
  const hasEntered = type === QueryEventType.ENTERED;
  return {
    id: `urn:storefront:query:${encodeURIComponent(query.id)}:${query.region}:${id}`,
    title: hasEntered ? `Found: ${title}` : `No longer found: ${title}`,
    text: `${hasEntered ? "Entered" : "Left"} what the saved search finds in ${query.region}, seen at ${date.toISOString()}.`,
    path: query.titles.has(offerId) ? offerPath(offerId) : "/explorer/",
    date,
  };
}

export const getQueryAtomFeed = webFeed({
  path: "/search/{id}/feed.atom",
  operationId: "getQueryAtomFeed",
  tag: "search",
  summary: "Follow a saved query in a feed reader",
  description:
    "An Atom feed (RFC 4287) of offers that entered or left what a saved query finds in the region of a country, newest first, at most 100. A query is followed from the first time that its feed or its stream is asked for, and until nobody has asked for 14 days: so the first answer has no entries. 404 for an unknown query; 503 when as many are followed as may be.",
  contentType: "application/atom+xml; charset=utf-8",
  takesAnyCountry: true,
  cost: 10,
  input: zQueryFeedInput,
  failures: [404, 503],
  output: zAtomFeed,
  write: async ({ ctx, input, publicUrl }) =>
    atomOf(await queryFeed(ctx, input, "feed.atom"), publicUrl),
});

export const getQueryJsonFeed = webFeed({
  path: "/search/{id}/feed.json",
  operationId: "getQueryJsonFeed",
  tag: "search",
  summary: "Follow a saved query in a feed reader, as JSON",
  description: "The entries of `getQueryAtomFeed` as a JSON Feed of version 1.1.",
  contentType: "application/feed+json; charset=utf-8",
  takesAnyCountry: true,
  cost: 10,
  input: zQueryFeedInput,
  failures: [404, 503],
  output: zJsonFeed,
  write: async ({ ctx, input, publicUrl }) =>
    jsonFeedOf(await queryFeed(ctx, input, "feed.json"), publicUrl),
});
