import { atomOf, zAtomFeed } from "../../news-feed.ts";
import { webFeed } from "../../web-feed.ts";
import { freeGamesFeed } from "./begun-entries.ts";
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
  output: zAtomFeed,
  write: async ({ ctx, input, publicUrl }) =>
    atomOf(await freeGamesFeed(ctx, input, path), publicUrl),
});
