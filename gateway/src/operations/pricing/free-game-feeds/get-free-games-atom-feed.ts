import { Feed } from "feed";
import { z } from "zod";
import { webFeed } from "../../web-feed.ts";
import { entryIdOf, listBegunEntries } from "./begun-entries.ts";
import { zFreeGameFeedInput } from "./free-game-entries.ts";

const path = "/free-games/feed.atom";

export const getFreeGamesAtomFeed = webFeed({
  path,
  operationId: "getFreeGamesAtomFeed",
  tag: "free games",
  summary: "Follow giveaways in a feed reader",
  description:
    "An Atom feed (RFC 4287) of giveaways that have begun, newest start first, at most 100; an entry is as old as its giveaway's start.",
  contentType: "application/atom+xml; charset=utf-8",
  cost: 6,
  input: zFreeGameFeedInput,
  output: z.string().meta({
    description: "An Atom document.",
    example: '<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
  }),
  write: async ({ ctx, input, publicUrl }) => {
    const entries = await listBegunEntries(ctx, input);
    const feed = new Feed({
      id: "urn:storefront:free-games",
      title: "Free games",
      updated: entries[0]?.startDate ?? new Date(0),
      generator: false,
      author: { name: "Storefront" },
      ...(publicUrl !== undefined && {
        link: `${publicUrl}/explorer/`,
        feedLinks: { atom: publicUrl + path },
      }),
    });
    for (const entry of entries) {
      feed.addItem({
        id: entryIdOf(entry),
        // The library writes both as HTML.
        title: escapeHtml(entry.title),
        description: escapeHtml(entry.text),
        // The library asks for a link, and for a whole one.
        link: publicUrl === undefined ? entryIdOf(entry) : publicUrl + entry.path,
        date: entry.startDate,
        published: entry.startDate,
      });
    }
    return feed.atom1();
  },
});

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
