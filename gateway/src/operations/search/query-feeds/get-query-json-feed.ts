import { jsonFeedOf, zJsonFeed } from "../../news-feed.ts";
import { webFeed } from "../../web-feed.ts";
import { queryFeed, zQueryFeedInput } from "./query-feed.ts";

const fileName = "feed.json";

export const getQueryJsonFeed = webFeed({
  path: `/search/{id}/${fileName}`,
  operationId: "getQueryJsonFeed",
  tag: "search",
  summary: "Follow a saved query in a feed reader, as JSON",
  description: "The entries of `getQueryAtomFeed` as a JSON Feed of version 1.1.",
  contentType: "application/feed+json; charset=utf-8",
  takesAnyCountry: true,
  cost: 10,
  input: zQueryFeedInput,
  failures: [404],
  output: zJsonFeed,
  write: async ({ ctx, input, publicUrl }) =>
    jsonFeedOf(await queryFeed(ctx, input, fileName), publicUrl),
});
