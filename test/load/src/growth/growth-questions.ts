/** A request of one of the reads. */
export interface Question {
  readonly path: string;
  /** JSON of a POST; without it a GET. */
  readonly body?: string;
}

/** A read, and the questions to ask in turn. */
export interface Read {
  readonly name: string;
  readonly questions: readonly Question[];
  /** Whether the gateway caches its responses; default false. */
  readonly isCached?: boolean;
}

/** Records that questions are about, spread over the catalogue. */
export interface AskedRecords {
  readonly offerIds: readonly string[];
  readonly sandboxIds: readonly string[];
  readonly titles: readonly string[];
  readonly tagIds: readonly string[];
}

/** How many responses are requested repeatedly. */
const cachedResponses = 20;

const sorts = ["price", "creationDate", "discountPercent", "lastModifiedDate"];
const country = "country=US";
const v2 = `/search/v2/search?${country}`;

/** Every read to measure, with distinct questions, so that no response comes from an earlier one. */
export function growthReads({ offerIds, sandboxIds, titles, tagIds }: AskedRecords): Read[] {
  const ask = (body: object): Question => ({ path: v2, body: JSON.stringify(body) });
  const of = <Value>(values: readonly Value[], make: (value: Value, index: number) => Question) =>
    values.map(make);
  const word = (title: string) => title.split(" ")[0] ?? title;
  return [
    { name: "get", questions: of(offerIds, (id) => ({ path: `/offers/${id}?${country}` })) },
    {
      name: "list",
      questions: of(sandboxIds, (id) => ({ path: `/sandboxes/${id}/offers?limit=20` })),
    },
    {
      name: "overview",
      questions: of(offerIds, (id) => ({ path: `/offers/${id}/overview?${country}` })),
    },
    {
      name: "changelog page",
      questions: of(sandboxIds, (id) => ({ path: `/sandboxes/${id}/changelog?limit=20` })),
    },
    {
      name: "search: first page, no filter",
      // Sizes differ, so that no two are the same question.
      questions: of(offerIds.slice(0, 40), (_, n) => ask({ limit: 10 + n, page: 1 })),
    },
    {
      name: "search: two filters, a sort, all aggregations",
      questions: of(tagIds, (tag, n) =>
        ask({
          tags: [tag],
          onSale: n % 2 === 0,
          sortBy: sorts[n % sorts.length],
          sortDir: n % 3 === 0 ? "asc" : "desc",
          limit: 20,
        }),
      ),
    },
    {
      name: "search: page 50",
      questions: of(offerIds.slice(0, 40), (_, n) => ask({ limit: 10 + n, page: 50 })),
    },
    { name: "search: text", questions: of(titles, (title) => ask({ title: word(title) })) },
    {
      name: "suggestions",
      questions: of(titles, (title) => ({
        path: `/search/suggest?query=${encodeURIComponent(title.slice(0, 8))}`,
      })),
    },
    {
      name: "search: 20 unknown words",
      questions: of(titles, (_, n) => ask({ title: unknownWords(n) })),
    },
    {
      name: "search: meaning",
      questions: of(titles, (title) => ({
        path: `/search/natural-language?${country}`,
        body: JSON.stringify({ query: `a game like ${title}`, topK: 10 }),
      })),
    },
  ];
}

/** The first read again, with cached responses. */
export function cachedRead({ offerIds }: AskedRecords): Read {
  const questions = offerIds
    .slice(0, cachedResponses)
    .map((id) => ({ path: `/offers/${id}?${country}` }));
  return { name: "get, cached in the gateway", questions, isCached: true };
}

/** Misspelt words that no title has. */
function unknownWords(seed: number): string {
  const letters = "bcdfghjklmnprstvwz";
  const vowels = "aeiou";
  return Array.from({ length: 20 }, (_, word) =>
    Array.from({ length: 6 }, (__, at) => {
      const from = at % 2 === 0 ? letters : vowels;
      return from[(seed * 31 + word * 17 + at * 7 + seed * word) % from.length];
    }).join(""),
  ).join(" ");
}
