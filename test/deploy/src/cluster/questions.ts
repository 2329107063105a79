import type { Question } from "../load/http-load.ts";

/** Requests about offers that the release before serves too, three of eight of them searches. */
export function questionsOf(offerIds: readonly string[]): Question[] {
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

function search(query: object): Question {
  return { path: "/search/v2/search?country=DE", body: JSON.stringify(query) };
}
