import { asOfferId } from "@storefront/domain/identifiers";
import type { Locale } from "@storefront/domain/identifiers";
import { Feed } from "feed";
import { z } from "zod";
import { localiseOffer, requestLocale } from "../compose/localise-offer.ts";
import { zList, zObject, zString } from "../records/members.ts";
import type { RequestContext } from "../upstream/request-context.ts";

export interface NewsEntry {
  /** Independent of the address of the gateway. */
  readonly id: string;
  /** On one line, without characters that XML cannot hold. */
  readonly title: string;
  readonly text: string;
  /** Page of the offer, on the gateway. */
  readonly path: string;
  readonly date: Date;
}

/** A feed for feed readers, in any format. */
export interface NewsFeed {
  readonly id: string;
  readonly title: string;
  /** Of the feed itself, on the gateway. */
  readonly path: string;
  readonly updated: Date;
  /** Newest first. */
  readonly entries: readonly NewsEntry[];
}

const jsonFeedVersion = "https://jsonfeed.org/version/1.1";

export const zAtomFeed = zString(
  "An Atom document.",
  '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
);

const zJsonFeedItem = zObject("JsonFeedItem", "An entry of a JSON Feed.", {
  id: zString("Made of the id of what it tells of.", "urn:storefront:giveaway:g-2026-03-calluna"),
  url: zString(
    "Page of the offer.",
    "https://shop.example/explorer/offers/5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
  ).optional(),
  title: zString("Title of the offer.", "Moonlit Harbour"),
  content_text: zString(
    "What happens to it.",
    "Free on android from 2026-03-16T16:00:00.000Z, without an announced end.",
  ),
  date_published: z.string().meta({
    description: "When it happens.",
    format: "date-time",
    example: "2026-03-16T16:00:00.000Z",
  }),
});

export const zJsonFeed = zObject("JsonFeed", "A JSON Feed of version 1.1.", {
  version: z
    .literal(jsonFeedVersion)
    .meta({ description: "Of the format.", example: jsonFeedVersion }),
  title: zString("Title of the feed.", "Free games"),
  home_page_url: zString("The explorer.", "https://shop.example/explorer/").optional(),
  feed_url: zString("The feed itself.", "https://shop.example/free-games/feed.json").optional(),
  items: zList(zJsonFeedItem, "Newest first."),
});

/** An Atom document (RFC 4287), with addresses where there is a public one. */
export function atomOf(
  { id, title, path, updated, entries }: NewsFeed,
  publicUrl?: string,
): string {
  const feed = new Feed({
    id,
    title,
    updated,
    generator: false,
    author: { name: "Storefront" },
    ...(publicUrl !== undefined && {
      link: `${publicUrl}/explorer/`,
      feedLinks: { atom: publicUrl + path },
    }),
  });
  for (const entry of entries) {
    feed.addItem({
      id: entry.id,
      // The library writes both as HTML.
      title: escapeHtml(entry.title),
      description: escapeHtml(entry.text),
      // The library requires a link, and a whole one.
      link: publicUrl === undefined ? entry.id : publicUrl + entry.path,
      date: entry.date,
      published: entry.date,
    });
  }
  return feed.atom1();
}

export function jsonFeedOf({ title, path, entries }: NewsFeed, publicUrl?: string): string {
  const address = (name: string, to: string) =>
    publicUrl === undefined ? {} : { [name]: publicUrl + to };
  const feed: z.output<typeof zJsonFeed> = {
    version: jsonFeedVersion,
    title,
    ...address("home_page_url", "/explorer/"),
    ...address("feed_url", path),
    items: entries.map((entry) => ({
      id: entry.id,
      ...address("url", entry.path),
      title: entry.title,
      content_text: entry.text,
      date_published: entry.date.toISOString(),
    })),
  };
  return JSON.stringify(feed);
}

/** A text on one line, without characters that XML and calendars cannot hold. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Noncharacter_Code_Point}]+/gu, " ").trim();
}

/** Titles of the known offers by id, in the locale. */
export async function findTitles(
  ctx: RequestContext,
  ids: readonly string[],
  locale: Locale,
): Promise<ReadonlyMap<string, string | null>> {
  const offerIds = [...new Set(ids)].map(asOfferId);
  const found = await ctx.clients.loadOffers(ctx, requestLocale(locale), offerIds);
  return new Map(
    found.flatMap((offer) =>
      offer === undefined ? [] : [[offer.offer.id, localiseOffer(offer, locale).title]],
    ),
  );
}

/** Page of an offer, on the gateway. */
export function offerPath(offerId: string): string {
  return `/explorer/offers/${encodeURIComponent(offerId)}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
