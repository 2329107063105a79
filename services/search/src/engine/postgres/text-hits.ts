import type { TextHits } from "./columns/found-offers.ts";
import { Parameters } from "./parameters.ts";
import { packed, unpacked } from "./packed-integers.ts";
import { relevanceSql } from "./relevance-sql.ts";
import type { SearchDependencies } from "./search-offers.ts";
import { matchText, weighted } from "./text-match.ts";

/**
 * What a text finds.
 *
 * @returns undefined when the text asks for nothing in particular.
 */
export async function textHits(
  { database, words, texts }: SearchDependencies,
  generation: number,
  { text, isRanked }: { text: string; isRanked: boolean },
): Promise<TextHits | undefined> {
  const table = await texts.of(database, generation);
  const match = await matchText(database, () => words.upToDate(), text, table);
  if (match === undefined) return undefined;
  const parameters = new Parameters();
  const relevance = isRanked ? relevanceSql(match, table, parameters) : "0";
  const row = await database.readOne<{ numbers: Buffer | null; relevances: Buffer | null }>(
    `select ${packed("number")} as numbers, ${isRanked ? packed("relevance") : "null"} as relevances
      from (
        select text.number, ${relevance} as relevance from ${table.table} as text
        where text.words @@ ${parameters.add(weighted(match, ""))}::tsquery
      ) as found`,
    parameters.values,
  );
  return {
    numbers: unpacked(row?.numbers),
    relevances: isRanked ? unpacked(row?.relevances) : undefined,
  };
}
