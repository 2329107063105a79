import type { Queryable } from "@storefront/database";
import type { TextHits } from "./columns/found-offers.ts";
import { packed, unpacked } from "./packed-integers.ts";
import { Parameters } from "./parameters.ts";
import { relevanceSql } from "./relevance-sql.ts";
import type { TextMatch } from "./text-match.ts";
import type { TextTable } from "./text-tables.ts";
import { tsquery } from "./tsquery.ts";
import type { WantedChunk } from "./wanted-words.ts";

/** The words of offers, as they can be asked. */
export interface OfferTexts {
  /** Whether any offer has what is wanted in its title, developer, publisher or tags. */
  isNamed(wanted: readonly WantedChunk[]): Promise<boolean>;
  find(match: TextMatch, options: { isRanked: boolean }): Promise<TextHits>;
}

/** Those in a table of the database. */
export function storedTexts(queryable: Queryable, texts: TextTable): OfferTexts {
  const { table, names } = texts;
  return {
    async isNamed(wanted) {
      const statement = `select number from ${table} where ${names} @@ $1::tsquery limit 1`;
      const named = await queryable.readOne(statement, [tsquery(wanted, { weights: "ABC" })]);
      return named !== undefined;
    },
    async find(match, { isRanked }) {
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
