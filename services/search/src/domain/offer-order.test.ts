import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";
import { expect, it } from "vitest";
import { offerOrder } from "./offer-order.ts";
import type { OrderRequest } from "./offer-order.ts";

const { ASC, DESC, UNSPECIFIED } = SortDirection;

it.each<[Partial<OrderRequest>, string, boolean, string | undefined]>([
  [{}, "lastModifiedDate", false, undefined],
  [{ direction: ASC }, "lastModifiedDate", true, undefined],
  [{ title: "x" }, "relevance", false, undefined],
  [{ title: "x", sort: OfferSort.PRICE, direction: ASC }, "price", true, undefined],
  [{ sort: OfferSort.PRICE_ASC }, "price", true, undefined],
  [{ sort: OfferSort.PRICE_ASC, direction: DESC }, "price", true, undefined],
  [{ sort: OfferSort.PRICE_DESC, direction: ASC }, "price", false, undefined],
  [{ sort: OfferSort.RELEASE_DATE }, "releaseDate", false, "released"],
  [{ sort: OfferSort.UPCOMING, direction: ASC }, "upcoming", true, "upcoming"],
  [{ sort: OfferSort.GIVEAWAY_DATE }, "giveawayDate", false, "givenAway"],
])("sorts %j by %s, ascending %s, among %s", (request, key, isAscending, only) => {
  const unspecified = { title: "", sort: OfferSort.UNSPECIFIED, direction: UNSPECIFIED };
  expect(offerOrder({ ...unspecified, ...request })).toEqual({ order: { key, isAscending }, only });
});
