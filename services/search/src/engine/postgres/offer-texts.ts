import type { Queryable } from "@storefront/database";
import type { TextHits } from "./columns/found-offers.ts";
import { packed, unpacked } from "./packed-integers.ts";
import { Parameters } from "./parameters.ts";
import { relevanceSql } from "./relevance-sql.ts";
import type { TextMatch } from "./text-match.ts";
import type { TextTable } from "./text-tables.ts";
import { tsquery } from "./tsquery.ts";

/** The words of offers, as the texts of one search can be asked of them. */
export interface OfferTexts {
  /** Whether any offer has what is wanted in its title, developer, publisher or tags. */
  isNamed(match: TextMatch): Promise<boolean>;
  find(match: TextMatch): Promise<TextHits>;
}

/** Those in a table of the database. */
export function storedTexts(
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
