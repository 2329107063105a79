import { atomOf, zAtomFeed } from "../../news-feed.ts";
import { webFeed } from "../../web-feed.ts";
import { queryFeed, zQueryFeedInput } from "./query-feed.ts";

const fileName = "feed.atom";

export const getQueryAtomFeed = webFeed({
  path: `/search/{id}/${fileName}`,
  operationId: "getQueryAtomFeed",
  tag: "search",
  summary: "Follow a saved query in a feed reader",
  description:
    "An Atom feed (RFC 4287) of offers that entered or left what a saved query finds in the region of a country, newest first, at most 100. A query is followed from the first time that its feed or its stream is asked for, and until nobody has asked for 14 days: so the first answer has no entries. 404 for an unknown query; 503 when as many are followed as may be.",
  contentType: "application/atom+xml; charset=utf-8",
  takesAnyCountry: true,
  cost: 10,
  input: zQueryFeedInput,
  failures: [404],
  output: zAtomFeed,
  write: async ({ ctx, input, publicUrl }) =>
    atomOf(await queryFeed(ctx, input, fileName), publicUrl),
});
