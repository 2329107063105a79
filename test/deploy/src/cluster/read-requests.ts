import type { ReadRequest } from "../load/http-load.ts";

/** Reads of offers that the previous release serves too, three of eight of them searches. */
export function readRequestsOf(offerIds: readonly string[]): ReadRequest[] {
  return offerIds.flatMap((id, index) => {
    const price = { min: 100 * (index % 20) };
    return [
      { path: `/offers/${id}` },
      { path: `/offers/${id}/overview?country=DE` },
      search({ limit: 3, page: 1 + (index % 50) }),
      { path: `/changelist?limit=5&page=${1 + (index % 50)}` },
      search({ limit: 3, title: words[index % words.length] }),
      { path: `/offers/${id}/reviews` },
      { path: "/offers/featured-discounts?country=DE" },
      search({ limit: 3, price, sortBy: "price" }),
    ];
  });
}

const words = ["game", "edition", "pack", "the", "of", "world", "dlc", "space"];

function search(query: object): ReadRequest {
  return { path: "/search/v2/search?country=DE", body: JSON.stringify(query) };
}
