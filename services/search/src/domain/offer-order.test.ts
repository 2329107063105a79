import { expect, it } from "vitest";
import { offerOrder } from "./offer-order.ts";
import type { OrderRequest } from "./offer-order.ts";

it.each<[Partial<OrderRequest>, string, boolean, string | undefined]>([
  [{}, "lastModifiedDate", false, undefined],
  [{ isAscending: true }, "lastModifiedDate", true, undefined],
  [{ title: "x" }, "relevance", false, undefined],
  [{ title: "x", sort: "price", isAscending: true }, "price", true, undefined],
  [{ sort: "priceAsc" }, "price", true, undefined],
  [{ sort: "priceAsc", isAscending: false }, "price", true, undefined],
  [{ sort: "priceDesc", isAscending: true }, "price", false, undefined],
  [{ sort: "releaseDate" }, "releaseDate", false, "released"],
  [{ sort: "upcoming", isAscending: true }, "upcoming", true, "upcoming"],
  [{ sort: "giveawayDate" }, "giveawayDate", false, "givenAway"],
])("sorts %j by %s, ascending %s, among %s", (request, key, isAscending, only) => {
  expect(offerOrder({ title: "", ...request })).toEqual({ order: { key, isAscending }, only });
});
