import type { SearchModel } from "./model/search-model.ts";
import type { Question } from "./questions.ts";
import type { GeneratedSearch } from "./search-bodies.ts";

/** A search, and its expected response in each form. */
export interface SearchQuestion {
  search: GeneratedSearch;
  /** What `searchOffers` returns. */
  found: Question;
  /** What POST /search returns, without the id of the query. */
  saved: Record<string, unknown>;
  /** What `countFacets` returns. */
  counts: Record<string, unknown>;
}

/** Questions with the model's responses. */
export function searchQuestions(
  searches: readonly GeneratedSearch[],
  model: SearchModel,
): SearchQuestion[] {
  return searches.map((search) => {
    const { body, country, locale } = search;
    const found = model.find(body, country);
    return {
      search,
      found: {
        path: `/search/v2/search?country=${country}&locale=${locale}`,
        body,
        expected: { status: 200, body: model.response(body, found, locale) },
      },
      saved: model.savedResponse(body, found, locale),
      counts: model.count(found),
    };
  });
}

/** Bodies that break a rule. */
export function wrongSearches(): Question[] {
  const bodies: readonly object[] = [
    { limit: 0 },
    { limit: 101 },
    { limit: 1.5 },
    { page: 0 },
    { page: "1" },
    { page: 102, limit: 100 },
    { sortBy: "title" },
    { sortDir: "up" },
    { technologies: ["Unity", "  "] },
    { technologies: "Unity" },
    { tags: [1216] },
    { offerType: 1 },
    { onSale: "true" },
    { price: { min: "1" } },
    { price: 1 },
    { minRating: "7" },
    { minRating: 10.5 },
    { excludeBlockchain: 1 },
    { seller: "a\0b" },
    [],
  ];
  return ["/search/v2/search", "/search"].flatMap((path) =>
    bodies.map((body): Question => ({ path, body, expected: { status: 400 } })),
  );
}
