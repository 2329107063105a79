import type { OfferSelection } from "../offer-search.ts";
import { columnSql, termConditions, termSql } from "./offer-conditions.ts";
import type { Parameters } from "./offer-conditions.ts";
import type { SearchDependencies } from "./search-offers.ts";
import { priceTableOf, tablesOf } from "./tables.ts";
import { matchText, weighted } from "./text-match.ts";
import type { TextMatch } from "./text-match.ts";
import type { TextTable } from "./text-tables.ts";

/** What a search reads, and which rows of it. */
export interface HitsSource {
  readonly offerTable: string;
  readonly text: TextTable;
  /** Undefined for a region that does not exist. */
  readonly priceTable: string | undefined;
  readonly match: TextMatch | undefined;
  readonly conditions: readonly string[];
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

/** The rows of `offer`, `text` if there is one, and `price` that are found. */
export function hitsFrom(source: HitsSource): string {
  const { offerTable, text, priceTable, match, conditions } = source;
  const prices = priceTable ?? noPrices;
  return `from ${offerTable} as offer
      ${match === undefined ? "" : `join ${text.table} as text on text.number = offer.number`}
      left join ${prices} as price on price.number = offer.number
      ${conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`}`;
}

const noPrices = `(select null::int as number, null::int8 as original, null::int8 as discounted,
  null::boolean as is_lowest where false)`;
