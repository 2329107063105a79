import { timestampDate } from "@bufbuild/protobuf/wkt";
import { QueryEventType } from "@storefront/contracts/search/v1/search_service";
import type { QueryEvent } from "@storefront/contracts/search/v1/search_service";
import { asOfferId } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import { z } from "zod";
import { findShownPrices } from "../../compose/find-price.ts";
import { resolveAnyCountry } from "../../compose/resolve-country.ts";
import type { PricePoint } from "../../records/price.ts";
import { zCountry, zQueryId, zLocale } from "../../schemas/parameters.ts";
import { requireMember } from "../../upstream/upstream-error.ts";
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
import type { WebFeed, WebFeedDefinition } from "../rest-operation.ts";
import { replacedByQueries } from "./saved-queries.ts";

const zQueryFeedInput = z.object({ id: zQueryId, country: zCountry, locale: zLocale });

const maxEntries = 100;

/** What entered and left a saved query, newest first, at most 100. */
async function queryFeed(
  ctx: RequestContext,
  { id, country: named, locale }: z.output<typeof zQueryFeedInput>,
  path: string,
): Promise<NewsFeed> {
  const { country, region } = resolveAnyCountry(ctx, named);
  const name = "search.ListQueryEvents";
  const { events, followedSince } = await ctx.clients.search.listQueryEvents(ctx, {
    queryId: id,
    region,
    pageSize: maxEntries,
  });
  const offerIds = [...new Set(events.map(({ offerId }) => asOfferId(offerId)))];
  const [titles, prices] = await Promise.all([
    findTitles(ctx, offerIds, locale),
    findShownPrices(ctx, offerIds, region),
  ]);
  const priceOf = new Map(offerIds.map((offerId, index) => [offerId, prices[index]]));
  const entries = events.map((event) =>
    entryOf(event, { id, region, titles, price: priceOf.get(asOfferId(event.offerId)) }),
  );
  const asked = new URLSearchParams({ country, locale });
  return {
    id: `urn:storefront:query:${encodeURIComponent(id)}:${region}`,
    title: `Saved search ${id.slice(0, 8)} in ${region}`,
    path: `${path.replace("{id}", encodeURIComponent(id))}?${asked.toString()}`,
    updated: entries[0]?.date ?? timestampDate(requireMember(followedSince, name)),
    entries,
  };
}

function entryOf(
  { id, offerId, type, time }: QueryEvent,
  query: {
    id: string;
    region: Region;
    titles: ReadonlyMap<string, string | null>;
    price: PricePoint | null | undefined;
  },
): NewsEntry {
  const title = onOneLine(query.titles.get(offerId) ?? offerId);
  const date = timestampDate(requireMember(time, "search.ListQueryEvents"));
  const hasEntered = type === QueryEventType.ENTERED;
  return {
    id: `urn:storefront:query:${encodeURIComponent(query.id)}:${query.region}:${id}`,
    title: hasEntered ? `Found: ${title}` : `No longer found: ${title}`,
    text: `${hasEntered ? "Entered" : "Left"} what the saved search finds in ${query.region}, seen at ${date.toISOString()}.${priceSentence(query.price)}`,
    path: query.titles.has(offerId) ? offerPath(offerId) : "/explorer/",
    date,
  };
}

/** What the offer costs now; empty without a price. */
function priceSentence(point: PricePoint | null | undefined): string {
  if (point === null || point === undefined) return "";
  const { currencyCode, currencyDecimals, discountPrice, percentOff } = point.price;
  const amount = (discountPrice / 10 ** currencyDecimals).toFixed(currencyDecimals);
  return ` Price: ${amount} ${currencyCode}${percentOff > 0 ? `, ${percentOff} % off` : ""}.`;
}

interface QueryFeedForm extends Omit<
  WebFeedDefinition<typeof zQueryFeedInput>,
  "path" | "operationId" | "write"
> {
  textOf: (feed: NewsFeed, publicUrl: string | undefined) => string;
}

const atom: QueryFeedForm = {
  tag: "search",
  summary: "Follow a saved query in a feed reader",
  description:
    "An Atom feed (RFC 4287) of offers that entered or left the result of a saved query in the region of a country, newest first, at most 100. A query is followed from the first request for its feed or stream until 14 days after the last one, so the first response has no entries. 404 for an unknown query; 503 when the maximum number of queries is followed.",
  contentType: "application/atom+xml; charset=utf-8",
  takesAnyCountry: true,
  cost: 10,
  input: zQueryFeedInput,
  failures: [404, 503],
  output: zAtomFeed,
  textOf: atomOf,
};

const json: QueryFeedForm = {
  ...atom,
  summary: "Follow a saved query in a feed reader, as JSON",
  description: "The entries of the query's Atom feed as a JSON Feed of version 1.1.",
  contentType: "application/feed+json; charset=utf-8",
  output: zJsonFeed,
  textOf: jsonFeedOf,
};

function queryFeedAt(
  path: `/${string}`,
  operationId: string,
  { textOf, ...form }: QueryFeedForm & Pick<WebFeed, "deprecated">,
): WebFeed {
  return webFeed({
    ...form,
    path,
    operationId,
    write: async ({ ctx, input, publicUrl }) =>
      textOf(await queryFeed(ctx, input, path), publicUrl),
  });
}

export const readQueryAtomFeed = queryFeedAt("/queries/{id}/feed.atom", "readQueryAtomFeed", atom);

export const readQueryJsonFeed = queryFeedAt("/queries/{id}/feed.json", "readQueryJsonFeed", json);

export const getQueryAtomFeed = queryFeedAt("/search/{id}/feed.atom", "getQueryAtomFeed", {
  ...atom,
  deprecated: replacedByQueries,
});

export const getQueryJsonFeed = queryFeedAt("/search/{id}/feed.json", "getQueryJsonFeed", {
  ...json,
  deprecated: replacedByQueries,
});
