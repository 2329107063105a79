import type { Queryable } from "@storefront/database";
import { baseGameRank } from "../../../domain/offer-order.ts";
import type { TextMatch } from "../../text-match.ts";
import type { TextHits } from "../columns/found-offers.ts";
import { packed, unpacked, Parameters } from "../statement-values.ts";
import type { TextTable } from "./text-tables.ts";
import { tsquery } from "./text-tables.ts";

/** The words of offers, for the matches of one search. */
export interface OfferTexts {
  /** Whether any offer has all words in its title, developer, publisher or tags. */
  isNamed(match: TextMatch): Promise<boolean>;
  find(match: TextMatch): Promise<TextHits>;
}

/** The words in a table of the database. */
export function textsInDatabase(
  queryable: Queryable,
  texts: TextTable,
  { isRanked }: { isRanked: boolean },
): OfferTexts {
  const { table, names } = texts;
  return {
    async isNamed({ chunks }) {
      const statement = `select number from ${table} where ${names} @@ $1::tsquery limit 1`;
      const named = await queryable.readOne(statement, [tsquery(chunks, { weights: "ABC" })]);
      return named !== undefined;
    },
    async find(match) {
      const parameters = new Parameters();
      const relevance = isRanked ? relevanceSql(match, texts, parameters) : "0";
      const relevances = isRanked ? packed("relevance") : "null";
      const row = await queryable.readOne<{ numbers: Buffer | null; relevances: Buffer | null }>(
        `select ${packed("number")} as numbers, ${relevances} as relevances
          from (
            select text.number, ${relevance} as relevance from ${table} as text
            where text.words @@ ${parameters.add(tsquery(match.chunks))}::tsquery
          ) as found`,
        parameters.values,
      );
      return {
        numbers: unpacked(row?.numbers),
        relevances: isRanked ? unpacked(row?.relevances) : undefined,
      };
    },
  };
}

/**
 * Order: exact title; all words in the title, whole; all in the title, the last as a prefix; then with developer and
 * publisher, with tags, with the description. With all words in the title, base games are first, then titles with that
 * prefix. Ties are broken by the type's rank, then the shorter title.
 *
 * Matches only `names`, at most three times, since it may run for a hundred thousand rows: that column has a fraction
 * of the words and is never stored out of line.
 */
function relevanceSql(
  match: TextMatch,
  { names, typeRank }: TextTable,
  parameters: Parameters,
): string {
  const key = parameters.add(match.key);
  const has = (weights: string, isWhole = false) =>
    `text.${names} @@ ${parameters.add(tsquery(match.chunks, { weights, isWhole }))}::tsquery`;
  return `(
      case
        when text.title_key = ${key} then 11
        when not ${has("AB")} then case when ${has("ABC")} then 1 else 0 end
        when not ${has("A")} then 2
        else case when ${has("A", true)} then 7 else 3 end
          + case when ${typeRank} = ${baseGameRank} then 2 else 0 end
          + starts_with(text.title_key, ${key})::int
      end * 3000
      + ${typeRank} * 1000
      - least(length(text.title_key), 999)
    )`;
}
