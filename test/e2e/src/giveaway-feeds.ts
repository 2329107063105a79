import { parseFeed } from "@rowanmanning/feed-parser";
import { sync as icalReader } from "node-ical";
import { differences } from "./differences.ts";
import { fetchDocumented } from "./fetch-documented.ts";
import type { Catalogue } from "./model/catalogue.ts";
import { calendarOf, newsOf } from "./model/giveaway-feed.ts";
import type { FeedItem } from "./model/giveaway-feed.ts";
import type { Model } from "./model/model.ts";

const platforms = ["", "desktop", "android", "ios", "android,ios"];
const locales = ["en-US", "de-DE", "ja-JP"];

/** Differences between the catalogue and its giveaway calendars and feeds, as third-party readers parse them. */
export async function wrongGiveawayFeeds(
  gatewayUrl: string,
  catalogue: Catalogue,
  model: Model,
): Promise<string[]> {
  const now = Date.now();
  const problems: string[] = [];
  for (const platform of platforms) {
    for (const locale of locales) {
      const query = { platforms: platform === "" ? [] : platform.split(","), locale };
      const news = newsOf(catalogue, model, query, now);
      const expected = {
        ics: calendarOf(catalogue, model, query, now),
        atom: news,
        json: news,
      };
      for (const [format, items] of Object.entries(expected)) {
        const chosen = platform === "" ? "" : `&platform=${platform}`;
        const path = `/free-games/feed.${format}?locale=${locale}${chosen}`;
        const { body } = await fetchDocumented(gatewayUrl + path);
        const read = readers[format as keyof typeof readers](body);
        const found = differences(items.toSorted(byId), read.toSorted(byId));
        problems.push(...found.map((difference) => `${path} ${difference}`));
      }
    }
  }
  return problems;
}

const byId = (a: FeedItem, b: FeedItem) => (a.id < b.id ? -1 : 1);

/** A third-party reader for each format. */
const readers: Record<"ics" | "atom" | "json", (body: string) => FeedItem[]> = {
  ics: (body) =>
    Object.values(icalReader.parseICS(body)).flatMap((part) => {
      if (part?.type !== "VEVENT") return [];
      const id = /^giveaway-(.*)@storefront$/.exec(part.uid)?.[1] ?? part.uid;
      const [start, end] = [part.start.getTime(), part.end?.getTime()];
      const title = typeof part.summary === "string" ? part.summary : part.summary.val;
      const item = { id: decodeURIComponent(id), title, start };
      // The reader ends an event without an end at its start.
      return [end === undefined || end === start ? item : { ...item, end }];
    }),
  atom: (body) =>
    parseFeed(body).items.map(({ id, title, published }) =>
      entryOf(id ?? "", title ?? "", published?.getTime()),
    ),
  json: (body) => {
    const { items } = JSON.parse(body) as {
      items: { id: string; title: string; date_published: string }[];
    };
    return items.map(({ id, title, date_published: published }) =>
      entryOf(id, title, Date.parse(published)),
    );
  },
};

function entryOf(id: string, title: string, start = Number.NaN): FeedItem {
  return { id: decodeURIComponent(id.replace("urn:storefront:giveaway:", "")), title, start };
}
