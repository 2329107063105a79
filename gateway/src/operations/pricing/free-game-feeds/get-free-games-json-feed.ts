import { z } from "zod";
import { webFeed } from "../../web-feed.ts";
import { entryIdOf, listBegunEntries } from "./begun-entries.ts";
import { zFreeGameFeedInput } from "./free-game-entries.ts";

const path = "/free-games/feed.json";

const version = "https://jsonfeed.org/version/1.1";

/** An address on the gateway, absent without a public one. */
function zAddress(description: string, example: string) {
  return z.string().meta({ description, example }).optional();
}

const zJsonFeedItem = z
  .object({
    id: z.string().meta({
      description: "Made of the giveaway's id.",
      example: "urn:storefront:giveaway:g-2026-03-calluna",
    }),
    url: zAddress(
      "Page of the offer.",
      "https://shop.example/explorer/offers/5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b",
    ),
    title: z.string().meta({ description: "Title of the offer.", example: "Moonlit Harbour" }),
    content_text: z.string().meta({
      description: "Where and when it is free.",
      example: "Free on android from 2026-03-16T16:00:00.000Z, without an announced end.",
    }),
    date_published: z.string().meta({
      description: "When the giveaway began.",
      format: "date-time",
      example: "2026-03-16T16:00:00.000Z",
    }),
  })
  .meta({ id: "FreeGamesJsonFeedItem", description: "A giveaway in a JSON Feed." });

const zJsonFeed = z
  .object({
    version: z.literal(version).meta({ description: "Of the format.", example: version }),
    title: z.string().meta({ description: "Title of the feed.", example: "Free games" }),
    home_page_url: zAddress("The explorer.", "https://shop.example/explorer/"),
    feed_url: zAddress("The feed itself.", "https://shop.example/free-games/feed.json"),
    items: z.array(zJsonFeedItem).meta({ description: "Newest start first." }),
  })
  .meta({ id: "FreeGamesJsonFeed", description: "A JSON Feed of giveaways." });

export const getFreeGamesJsonFeed = webFeed({
  path,
  operationId: "getFreeGamesJsonFeed",
  tag: "free games",
  summary: "Follow giveaways in a feed reader, as JSON",
  description: "The entries of `getFreeGamesAtomFeed` as a JSON Feed of version 1.1.",
  contentType: "application/feed+json; charset=utf-8",
  cost: 6,
  input: zFreeGameFeedInput,
  output: zJsonFeed,
  write: async ({ ctx, input, publicUrl }) => {
    const entries = await listBegunEntries(ctx, input);
    const address = (name: string, to: string) =>
      publicUrl === undefined ? {} : { [name]: publicUrl + to };
    const feed: z.output<typeof zJsonFeed> = {
      version,
      title: "Free games",
      ...address("home_page_url", "/explorer/"),
      ...address("feed_url", path),
      items: entries.map((entry) => ({
        id: entryIdOf(entry),
        ...address("url", entry.path),
        title: entry.title,
        content_text: entry.text,
        date_published: entry.startDate.toISOString(),
      })),
    };
    return JSON.stringify(feed);
  },
});
