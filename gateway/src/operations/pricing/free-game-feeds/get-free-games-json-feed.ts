import { jsonFeedOf, zJsonFeed } from "../../news-feed.ts";
import { webFeed } from "../../web-feed.ts";
import { freeGamesFeed } from "./begun-entries.ts";
import { zFreeGameFeedInput } from "./free-game-entries.ts";

const path = "/free-games/feed.json";

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
  write: async ({ ctx, input, publicUrl }) =>
    jsonFeedOf(await freeGamesFeed(ctx, input, path), publicUrl),
});
