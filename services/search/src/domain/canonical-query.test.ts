import { expect, it } from "vitest";
import { canonicalQuery, queryId } from "./canonical-query.ts";
import type { SearchQuery } from "./canonical-query.ts";

const empty: SearchQuery = {
  title: "",
  offerTypes: [],
  tagIds: [],
  technologies: [],
  categories: [],
  customAttributes: [],
  isLowestPrice: false,
  excludeBlockchain: false,
  pastGiveaways: false,
};
const idOf = (query: Partial<SearchQuery>) => queryId(canonicalQuery({ ...empty, ...query }));

it.each<[string, Partial<SearchQuery>, Partial<SearchQuery>]>([
  ["order of lists", { tagIds: ["b", "a"] }, { tagIds: ["a", "b"] }],
  ["duplicates", { offerTypes: ["DLC", "DLC"] }, { offerTypes: ["DLC"] }],
  ["space around technologies", { technologies: [" Unity "] }, { technologies: ["Unity"] }],
  ["space in the text", { title: "  half   life " }, { title: "half life" }],
  ["the default order", { sort: "lastModifiedDate" }, {}],
  ["the default direction", { sort: "price", isAscending: false }, { sort: "price" }],
  ["a direction of relevance", { title: "x", isAscending: true }, { title: "x" }],
  ["a direction of a fixed order", { sort: "priceAsc", isAscending: true }, { sort: "priceAsc" }],
  ["members that are undefined", { sellerId: undefined, price: undefined }, {}],
])("gives one id whatever %s", (_, a, b) => {
  expect(idOf(a)).toBe(idOf(b));
  expect(idOf(a)).toMatch(/^[0-9a-f]{32}$/);
});

it("gives every query that asks for something else another id", () => {
  const queries: Partial<SearchQuery>[] = [
    {},
    { title: "x" },
    { title: "x", sort: "lastModifiedDate" },
    { offerTypes: ["x"] },
    { tagIds: ["x"] },
    { tagIds: ["x", "y"] },
    { technologies: ["x"] },
    { categories: ["x"] },
    { customAttributes: ["x"] },
    { sellerId: "x" },
    { developerDisplayName: "x" },
    { publisherDisplayName: "x" },
    { refundType: "x" },
    { isCodeRedemptionOnly: true },
    { isCodeRedemptionOnly: false },
    { price: {} },
    { price: { min: 0n } },
    { price: { max: 0n } },
    { onSale: true },
    { onSale: false },
    { isLowestPrice: true },
    { excludeBlockchain: true },
    { pastGiveaways: true },
    { isAscending: true },
    { sort: "price" },
    { sort: "price", isAscending: true },
    { sort: "priceAsc" },
    { sort: "priceDesc" },
  ];
  expect(new Set(queries.map(idOf)).size).toBe(queries.length);
});
