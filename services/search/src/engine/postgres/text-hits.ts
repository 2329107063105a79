import type { TextHits } from "./columns/found-offers.ts";
import { storedTexts } from "./offer-texts.ts";
import type { SearchDependencies } from "./search-offers.ts";
import { matchText } from "./text-match.ts";

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
  const stored = storedTexts(database, await texts.of(database, generation));
  const match = await matchText(
    text,
    () => words.upToDate(),
    (wanted) => stored.isNamed(wanted),
  );
  return match === undefined ? undefined : await stored.find(match, { isRanked });
}
