import { askEach, askOne, request } from "./ask.ts";
import { differences } from "./differences.ts";
import type { SearchBody } from "./model/search-body.ts";
import type { GeneratedSearch } from "./search-bodies.ts";
import type { SearchQuestion } from "./search-questions.ts";

/** How often searches are also sent in another form. */
export interface AskedForms {
  /** Every n-th search is also saved as a query, and its facets are counted. */
  savedEvery: number;
  /** Every n-th saved query is also saved in other spellings. */
  respeltEvery: number;
  /** Concurrent searches; default 8. */
  concurrency?: number | undefined;
}

/**
 * Sends every search to `searchOffers`. Some are also saved as queries and counted by `countFacets`, and some of
 * those are saved in other spellings, which must give the same query. Returns the differences from the expected
 * responses.
 */
export async function askSearches(
  gatewayUrl: string,
  questions: readonly SearchQuestion[],
  { savedEvery, respeltEvery, concurrency }: AskedForms,
): Promise<string[]> {
  const saved = questions.filter((_, index) => index % savedEvery === 0);
  const respelt = saved.filter((_, index) => index % respeltEvery === 0);
  return [
    ...(await askEach(questions, ({ found }) => askOne(gatewayUrl, found), concurrency)),
    ...(await askEach(saved, (question) => askSaved(gatewayUrl, question), concurrency)),
    ...(await askEach(respelt, ({ search }) => askRespelt(gatewayUrl, search), concurrency)),
  ];
}

async function askSaved(gatewayUrl: string, question: SearchQuestion): Promise<string[]> {
  const { search, saved, counts } = question;
  const first = await save(gatewayUrl, search, search.body);
  const counted = await request(
    `${gatewayUrl}/search/${first.query}/count?country=${search.country}`,
  );
  return [...differences(saved, first), ...differences(counts, counted.result, "counts")].map(
    (problem) => `POST /search ${JSON.stringify(search)} ${problem}`,
  );
}

async function askRespelt(gatewayUrl: string, search: GeneratedSearch): Promise<string[]> {
  const { query } = await save(gatewayUrl, search, search.body);
  const { result } = await request(`${gatewayUrl}/search/${query}`);
  const same = await Promise.all(
    [...spellingsOf(search.body), result ?? {}].map((body) => save(gatewayUrl, search, body)),
  );
  const ids = new Set([query, ...same.map((each) => each.query)]);
  const isOne = ids.size === 1 && /^[0-9a-f]{32}$/.test(query);
  return isOne ? [] : [`POST /search ${JSON.stringify(search)}: ids ${[...ids].join(", ")}`];
}

async function save(
  gatewayUrl: string,
  { country, locale }: GeneratedSearch,
  body: object,
): Promise<{ query: string }> {
  const path = `/search?country=${country}&locale=${locale}`;
  const { status, result } = await request(gatewayUrl + path, body);
  if (status !== 200) throw new Error(`POST ${path} ${JSON.stringify(body)}: status ${status}`);
  return result as { query: string };
}

/** Bodies that mean the same search. */
function spellingsOf(body: SearchBody): object[] {
  const { offerType, sortDir, page: _, limit: __, ...rest } = body;
  const reversed = Object.entries(rest)
    .toReversed()
    .map(([member, value]) => [
      member,
      Array.isArray(value) ? [...value.toReversed(), ...value.slice(0, 1)] : value,
    ]);
  const types = typeof offerType === "string" ? [offerType, offerType] : offerType;
  return [
    {
      sortDir: sortDir ?? "desc",
      page: 3,
      ...(types === undefined ? {} : { offerType: types }),
      ...Object.fromEntries(reversed),
    },
    { technologies: [], title: "  ", isLowestPrice: false, ...body, limit: 1 },
  ];
}
