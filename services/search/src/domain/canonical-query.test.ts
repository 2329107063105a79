import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import {
  OfferQuerySchema,
  OfferSort,
  SortDirection,
} from "@storefront/contracts/search/v1/offer_query";
import { expect, it } from "vitest";
import { canonicalQuery, queryId } from "./canonical-query.ts";

type Query = MessageInitShape<typeof OfferQuerySchema>;

const { ASC, DESC } = SortDirection;
const later = fromBinary(OfferQuerySchema, Uint8Array.of(0x98, 0x7d, 1));
const laterPrice = fromBinary(OfferQuerySchema, Uint8Array.of(0x62, 3, 0x98, 0x7d, 1));
const bytesOf = (query: Query) =>
  toBinary(OfferQuerySchema, canonicalQuery(create(OfferQuerySchema, query)));
const idOf = (query: Query) => queryId(canonicalQuery(create(OfferQuerySchema, query)));

it.each<[string, Query, Query]>([
  ["order of lists", { tagIds: ["b", "a"] }, { tagIds: ["a", "b"] }],
  ["duplicates", { offerTypes: ["DLC", "DLC"] }, { offerTypes: ["DLC"] }],
  ["space around technologies", { technologies: [" Unity "] }, { technologies: ["Unity"] }],
  ["space in the text", { title: "  half   life " }, { title: "half life" }],
  ["the default order", { sort: OfferSort.LAST_MODIFIED_DATE }, {}],
  ["the default direction", { sort: OfferSort.PRICE, direction: DESC }, { sort: OfferSort.PRICE }],
  ["a direction of relevance", { title: "x", direction: ASC }, { title: "x" }],
  [
    "a direction of a fixed order",
    { sort: OfferSort.PRICE_ASC, direction: ASC },
    { sort: OfferSort.PRICE_ASC },
  ],
  ["members of a later release", later, {}],
  ["members of a price of a later release", laterPrice, { price: {} }],
])("returns the same id and form regardless of %s", (_, a, b) => {
  expect(idOf(a)).toBe(idOf(b));
  expect(bytesOf(a)).toEqual(bytesOf(b));
  expect(idOf(a)).toMatch(/^[0-9a-f]{32}$/);
});

it("returns different ids for different queries", () => {
  const queries: Query[] = [
    {},
    { title: "x" },
    { title: "x", sort: OfferSort.LAST_MODIFIED_DATE },
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
    { direction: ASC },
    { sort: OfferSort.PRICE },
    { sort: OfferSort.PRICE, direction: ASC },
    { sort: OfferSort.PRICE_ASC },
    { sort: OfferSort.PRICE_DESC },
  ];
  expect(new Set(queries.map(idOf)).size).toBe(queries.length);
});

it("returns stable ids", () => {
  expect(idOf({})).toBe("97248c9f5504c6ca4d1d75d90b8b0f78");
  expect(idOf({ offerTypes: ["DLC"], onSale: true })).toBe("bc9821a57941808b4c15abdfe08544b4");
  expect(idOf({ title: "x", price: { min: 5n }, sort: OfferSort.PRICE, direction: ASC })).toBe(
    "b167a26c8ce8bf12e9b95a85a67cd1dc",
  );
});
