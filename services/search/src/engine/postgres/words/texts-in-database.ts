import type { Queryable } from "@storefront/database";
import { baseGameRank } from "../../../domain/offer-order.ts";
import type { TextMatch } from "../../text-match.ts";
import type { NamedHits } from "../columns/found-offers.ts";
import { packed, unpacked, Parameters } from "../statement-values.ts";
import { tsquery, typeRankSql } from "./text-vector.ts";

interface Row {
  numbers: Buffer | null;
  relevances: Buffer | null;
  is_named: boolean | null;
}

/** Finds offers by the words in a table of the database. */
export async function findInDatabase(
  queryable: Queryable,
  textTable: string,
  match: TextMatch,
  { isRanked }: { isRanked: boolean },
): Promise<NamedHits> {
  const parameters = new Parameters();
  const rank = rankSql(match, parameters);
  const relevance = "class * 3000 + type_rank * 1000 - least(length(title_key), 999)";
  const row = await queryable.readOne<Row>(
    `select ${packed("number")} as numbers, bool_or(class > 0) as is_named,
        ${isRanked ? packed(relevance) : "null"} as relevances
      from (
        select number, title_key, type_rank, ${rank} as class
        from (
          select number, title_key, words, ${typeRankSql} as type_rank from ${textTable}
        ) as text
        where words @@ ${parameters.add(tsquery(match.chunks))}::tsquery
      ) as found`,
    parameters.values,
  );
  return {
    numbers: unpacked(row?.numbers),
    relevances: isRanked ? unpacked(row?.relevances) : undefined,
    isNamed: row?.is_named ?? false,
  };
}

/**
 * The class of an offer, above 0 when all words are in its title, developer, publisher or tags. Order: exact title; all
 * words in the title, whole; all in the title, the last as a prefix; then with developer and publisher, with tags, with
 * the description. With all words in the title, base games are first, then titles with that prefix. Ties are broken by
 * the type's rank, then the shorter title.
 */
function rankSql({ chunks, key }: TextMatch, parameters: Parameters): string {
  const title = parameters.add(key);
  const has = (weights: string, isWhole = false) =>
    `words @@ ${parameters.add(tsquery(chunks, { weights, isWhole }))}::tsquery`;
  return `case
      when title_key = ${title} then 11
      when not ${has("ABC")} then 0
      when not ${has("AB")} then 1
      when not ${has("A")} then 2
      else case when ${has("A", true)} then 7 else 3 end
        + case when type_rank = ${baseGameRank} then 2 else 0 end
        + starts_with(title_key, ${title})::int
    end`;
}
