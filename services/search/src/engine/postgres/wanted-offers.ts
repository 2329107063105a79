import type { OfferFilter } from "../offer-search.ts";
import type { TextHits } from "./columns/found-offers.ts";
import type { TermNumbersAsked } from "./columns/match-terms.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { termConditions } from "./term-conditions.ts";
import { termKey } from "./terms.ts";
import type { Term } from "./terms.ts";
import { textHits } from "./text-hits.ts";

/** What a filter asks of terms, by number, and what its text finds. */
export async function wantedOf(
  deps: SearchDependencies,
  generation: number,
  { text, ...filter }: OfferFilter,
  { isRanked }: { isRanked: boolean },
): Promise<{ terms: TermNumbersAsked; text: TextHits | undefined }> {
  const { all, any, none } = termConditions({ ...filter, text });
  const numbers = await deps.terms.knownNumbers(deps.database, [...all, ...any.flat(), ...none]);
  // No offer has a term without a number.
  const numberOf = (term: Term) => numbers.get(termKey(term)) ?? unknownTerm;
  const terms: TermNumbersAsked = {
    all: all.map(numberOf),
    any: any.map((list) => list.map(numberOf)),
    none: none.map(numberOf),
  };
  const hits =
    text === undefined ? undefined : await textHits(deps, generation, { text, isRanked });
  return { terms, text: hits };
}

/** The number of a term that is none. */
const unknownTerm = 0;
