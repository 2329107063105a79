/** An operation that agents may call. */
export interface Tool {
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** For the agent: what it gives, and when to call it. */
  readonly description: string;
  readonly operationId: string;
  /** Members of the operation's input that the tool takes; the others keep their defaults. */
  readonly members: readonly string[];
  /** Members of the response, at any depth, that agents do not get: those that differ between equal results. Default none. */
  readonly omitted?: readonly string[];
  /** Instead of the operation's defaults. */
  readonly defaults?: Readonly<Record<string, unknown>>;
}

const market = ["country", "locale"];
const paging = ["page", "limit"];

/** Few, with distinct purposes, so that agents choose the right one. */
export const tools: readonly Tool[] = [
  {
    name: "search_offers",
    title: "Search offers",
    description:
      "Finds offers by words of their title and by filters: type, tags, developer, price, rating, on sale, as cheap as never before, or as not for a time. Sorted and paged; each offer has its price in the country, with `lows` the lowest prices it has had.",
    operationId: "searchOffers",
    members: [
      "title",
      "offerType",
      "tags",
      "developerDisplayName",
      "publisherDisplayName",
      "price",
      "onSale",
      "isLowestPrice",
      "lowestPriceOf",
      "minRating",
      "pastGiveaways",
      "sortBy",
      "sortDir",
      "lows",
      "cursor",
      ...paging,
      ...market,
    ],
    omitted: ["ms", "timed_out", "cached"],
    defaults: { aggregations: false, limit: 5 },
  },
  {
    name: "find_offers_by_meaning",
    title: "Find offers by what they are about",
    description:
      "Finds offers by a description in plain words, such as 'a calm game about running a harbour', best first. For titles use search_offers.",
    operationId: "searchOffersByMeaning",
    members: ["query", "topK", "offerType", "price", "onSale", "lows", ...market],
    defaults: { topK: 5 },
  },
  {
    name: "get_offer",
    title: "Get an offer and everything about it",
    description:
      "Gives an offer by its id: texts, price in the country, genres, features, technologies, media, age rating and giveaways.",
    operationId: "getOfferOverview",
    members: ["id", "lows", ...market],
  },
  {
    name: "get_price",
    title: "Get the price of an offer",
    description:
      "Gives what an offer costs in a country, in minor units of the currency, with the sale that the reduction comes from; with its lows, the lowest prices it has had.",
    operationId: "getPrice",
    members: ["id", "lows", "country"],
  },
  {
    name: "list_price_history",
    title: "List the prices that an offer has had",
    description: "Gives past and present prices of an offer in a country, newest first.",
    operationId: "listPriceHistory",
    members: ["id", "country", ...paging],
  },
  {
    name: "list_giveaways",
    title: "List what is free now, soon or was free",
    description:
      "Gives giveaways with their offers: current ones, or by state those to come or those that are over; on all platforms or some.",
    operationId: "listFreeGames",
    members: ["state", "platform", "lows", ...paging, ...market],
    defaults: { limit: 5 },
  },
  {
    name: "list_changes",
    title: "List what has changed in the catalogue",
    description:
      "Gives changes of offers, items, assets, builds and sandboxes in the order in which they were made: the newest, or those after a change (its id) or a time.",
    operationId: "listEntries",
    members: ["since", "after", ...paging],
  },
  {
    name: "list_reviews",
    title: "List the reviews of an offer",
    description: "Gives what players wrote about an offer, newest first.",
    operationId: "listReviews",
    members: ["id", "verified", ...paging],
  },
];
