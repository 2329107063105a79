import type { Database } from "@storefront/database";
import type {
  FacetCounts,
  OfferHits,
  OfferSearch,
  OfferSelection,
  PriceStatistics,
} from "../offer-search.ts";
import { aggregationsOf } from "./aggregations.ts";
import type { KnownWords } from "./known-words.ts";
import { columnSql, Parameters, termConditions, termSql } from "./offer-conditions.ts";
import { countSql, searchSql } from "./search-sql.ts";
import type { HitsSource, SearchRow } from "./search-sql.ts";
import { priceTableOf, tablesOf } from "./tables.ts";
import { TermCounts } from "./term-counts.ts";
import type { TermNumbers } from "./term-numbers.ts";
import { matchText, weighted } from "./text-match.ts";
import type { TextTables } from "./text-tables.ts";

/** What searches are made with. */
export interface SearchDependencies {
  readonly database: Database;
  readonly terms: TermNumbers;
  readonly words: KnownWords;
  readonly texts: TextTables;
}

/** A page of what a search finds, with counts over all of it. */
export async function searchOffers(
  deps: SearchDependencies,
  generation: number,
  search: OfferSearch,
): Promise<OfferHits> {
  const parameters = new Parameters();
  const source = await hitsSource(deps, generation, search, parameters);
  const { aggregations: asked } = search;
  if (source === undefined) {
    const aggregations = aggregationsOf(asked, new TermCounts([], [], new Map()), noPrices);
    return { offerIds: [], total: 0, aggregations, isTimedOut: false };
  }
  const isCounted = asked.some((name) => name !== "prices");
  const sql = searchSql(source, { ...search, isCounted }, parameters);
  const row = await answer(deps, sql, parameters);
  return {
    offerIds: row.ids,
    total: row.total,
    aggregations: aggregationsOf(asked, await countsOf(deps, row), priceStatistics(row)),
    isTimedOut: false,
  };
}

/** Counts over all that a search finds. */
export async function countFacets(
  deps: SearchDependencies,
  generation: number,
  question: OfferSelection,
): Promise<FacetCounts> {
  const parameters = new Parameters();
  const source = await hitsSource(deps, generation, question, parameters);
  if (source === undefined) return noFacets;
  const row = await answer(deps, countSql(source), parameters);
  const counts = await countsOf(deps, row);
  return {
    tagIds: counts.of("tag"),
    offerTypes: counts.of("type"),
    developers: counts.of("developer"),
    publishers: counts.of("publisher"),
    total: row.total,
    prices: priceStatistics(row),
  };
}

/** What a search finds; undefined when that is nothing. */
export async function hitsSource(
  { database, terms, words, texts }: SearchDependencies,
  generation: number,
  question: OfferSelection,
  parameters: Parameters,
): Promise<HitsSource | undefined> {
  const { filter, region } = question;
  const tables = tablesOf(generation);
  const wanted = termConditions(filter);
  const numbers = await terms.knownNumbers(database, [
    ...wanted.all,
    ...wanted.any.flat(),
    ...wanted.none,
  ]);
  const ofTerms = termSql(wanted, numbers, parameters);
  if (ofTerms === undefined) return undefined;
  const text = await texts.of(database, generation);
  const match =
    filter.text === undefined
      ? undefined
      : await matchText(database, () => words.upToDate(), filter.text, text);
  const ofText =
    match === undefined ? [] : [`text.words @@ ${parameters.add(weighted(match, ""))}::tsquery`];
  return {
    offerTable: tables.offer,
    text,
    priceTable: priceTableOf(generation, region),
    match,
    conditions: [...ofTerms, ...ofText, ...columnSql(filter, question, parameters)],
  };
}

async function answer(
  { database }: SearchDependencies,
  sql: string,
  parameters: Parameters,
): Promise<SearchRow> {
  const row = await database.readOne<SearchRow>(sql, parameters.values);
  if (row === undefined) throw new Error("a search gives one row");
  return row;
}

async function countsOf({ database, terms }: SearchDependencies, row: SearchRow) {
  return new TermCounts(row.numbers, row.counts, await terms.termsOf(database, row.numbers));
}

function priceStatistics(row: SearchRow): PriceStatistics {
  return {
    count: row.priced,
    min: row.min_price === null ? undefined : Number(row.min_price),
    max: row.max_price === null ? undefined : Number(row.max_price),
    avg: row.avg_price ?? undefined,
  };
}

const noPrices: PriceStatistics = { count: 0, min: undefined, max: undefined, avg: undefined };

const noFacets: FacetCounts = {
  tagIds: [],
  offerTypes: [],
  developers: [],
  publishers: [],
  total: 0,
  prices: noPrices,
};
