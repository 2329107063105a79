import type { TextHits } from "./columns/found-offers.ts";
import { storedTexts } from "./offer-texts.ts";
import type { OfferTexts } from "./offer-texts.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { matchText } from "./text-match.ts";
import { wordsOf } from "./words-of.ts";
import { heldTexts } from "./words/held-texts.ts";

/**
 * What a text finds.
 *
 * @returns undefined when the text asks for nothing in particular.
 */
export async function textHits(
  deps: SearchDependencies,
  generation: number,
  { text, isRanked }: { text: string; isRanked: boolean },
): Promise<TextHits | undefined> {
  const { table, held } = await wordsOf(deps, generation);
  const texts: OfferTexts =
    held === undefined
      ? storedTexts(deps.database, table, { isRanked })
      : heldTexts(held, { isRanked });
  const match = await matchText(
    text,
    () => deps.words.upToDate(),
    (wanted) => texts.isNamed(wanted),
  );
  return match === undefined ? undefined : await texts.find(match);
}
