import type { TextHits } from "./columns/found-offers.ts";
import { storedTexts } from "./offer-texts.ts";
import type { OfferTexts } from "./offer-texts.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { matchText } from "./text-match.ts";
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
  const texts = await offerTexts(deps, generation, { isRanked });
  const match = await matchText(
    text,
    () => deps.words.upToDate(),
    (wanted) => texts.isNamed(wanted),
  );
  return match === undefined ? undefined : await texts.find(match);
}

/** Those in memory, once they are there. */
async function offerTexts(
  { database, texts, columns }: SearchDependencies,
  generation: number,
  options: { isRanked: boolean },
): Promise<OfferTexts> {
  const table = await texts.of(database, generation);
  const held = table.canBeHeld ? await columns.words(generation) : undefined;
  return held === undefined ? storedTexts(database, table, options) : heldTexts(held, options);
}
