import { latestLowestSinceMs } from "../../domain/price-history.ts";
import { termConditions } from "../../domain/offer-terms.ts";
import { withoutFilters } from "../../domain/offer-filter.ts";
import type { OwnFilter } from "../../domain/offer-filter.ts";
import type { Term } from "../../domain/offer-terms.ts";
import type { OfferFilter, OfferSelection } from "../offer-search.ts";
import { matchText } from "../text-match.ts";
import type { ChosenMatch, TextMatch } from "../text-match.ts";
import { foundAmong, offersPerTurn, offersWith } from "./columns/found-offers.ts";
import type { TextHits } from "./columns/found-offers.ts";
import type { SearchColumns, WrittenVersions } from "./columns/index-columns.ts";
import type { TermNumberConditions } from "./columns/match-columns.ts";
import type { PriceTimeName } from "./columns/price-columns.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { termKey } from "./term-numbers.ts";
import { tablesOf } from "./tables.ts";
import { Turns } from "./turns.ts";
import { findInDatabase } from "./words/texts-in-database.ts";
import { findInMemory } from "./words/texts-in-memory.ts";

interface FoundText extends TextHits, ChosenMatch {}

/** Results of a selection, while nothing of it changes. */
interface FoundOffers {
  /** Numbers of the offers; with a text in the order of its hits. */
  readonly found: Int32Array;
  /** The results without one of the `lifted` filters. */
  readonly foundWithout: (filter: OwnFilter) => Promise<Int32Array>;
  readonly text: FoundText | undefined;
  readonly columns: SearchColumns;
  /** For further work on them. */
  readonly turns: Turns;
}

/**
 * Finds the results of a selection and reads them.
 *
 * @param isRanked whether text hits have relevances; default false
 * @param times of prices to load besides those of the filter; default none
 * @param lifted filters for `foundWithout`; default none
 * @param atLeast minimum versions of data in memory; default any of a moment ago
 */
export async function readFound<Result>(
  deps: SearchDependencies,
  generation: number,
  selection: OfferSelection,
  {
    isRanked = false,
    times = [],
    lifted = new Set(),
    atLeast,
  }: {
    isRanked?: boolean;
    times?: readonly PriceTimeName[];
    lifted?: ReadonlySet<OwnFilter>;
    atLeast?: WrittenVersions;
  },
  read: (found: FoundOffers) => Promise<Result>,
): Promise<Result> {
  const { filter, region, nowMs } = selection;
  const termsOf = await termNumbers(deps, filter);
  const text = await textHits(deps, generation, filter.text, {
    isRanked,
    atLeast: atLeast?.offers,
  });
  const filtered: PriceTimeName[] =
    latestLowestSinceMs(filter.lowestPriceOf, nowMs) === undefined ? [] : ["lowestSince"];
  const request = { region, times: [...new Set([...times, ...filtered])], atLeast };
  return await deps.columns.read(generation, request, async (columns) => {
    const turns = new Turns(offersPerTurn);
    const among = async (offers: Int32Array, without: Iterable<OwnFilter>) => {
      const part = withoutFilters(filter, without);
      return await foundAmong(
        offers,
        columns,
        { filter: part, nowMs, terms: termsOf(part) },
        turns,
      );
    };
    const all = offersWith(text, columns);
    const shared = lifted.size === 0 ? all : await among(all, lifted);
    const found = await among(shared, []);
    const foundWithout = async (own: OwnFilter) =>
      lifted.size === 1 ? shared : await among(shared, [own]);
    return await read({ found, foundWithout, text, columns, turns });
  });
}

/** Resolves a filter's terms to numbers, for the filter or parts of it. */
async function termNumbers(
  { database, terms }: SearchDependencies,
  filter: OfferFilter,
): Promise<(part: OfferFilter) => TermNumberConditions> {
  const whole = termConditions(filter);
  const every = [...whole.all, ...whole.any.flat(), ...whole.none];
  const numbers = await terms.knownNumbers(database, every);
  const numberOf = (term: Term) => numbers.get(termKey(term)) ?? unknownTerm;
  return (part) => {
    const { all, any, none } = termConditions(part);
    return {
      all: all.map(numberOf),
      any: any.map((list) => list.map(numberOf)),
      none: none.map(numberOf),
    };
  };
}

/** The number of a term that no offer has. */
const unknownTerm = 0;

/** The hits of a text; undefined when it has no words. */
async function textHits(
  deps: SearchDependencies,
  generation: number,
  text: string | undefined,
  { isRanked, atLeast }: { isRanked: boolean; atLeast: bigint | undefined },
): Promise<FoundText | undefined> {
  if (text === undefined) return undefined;
  const held = await deps.columns.words(generation, atLeast);
  const find = async (match: TextMatch) =>
    held === undefined
      ? await findInDatabase(deps.database, tablesOf(generation).text, match, { isRanked })
      : await findInMemory(held, match, { isRanked });
  return await matchText(text, () => deps.words.upToDate(), find);
}
