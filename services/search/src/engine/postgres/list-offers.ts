import { unavailable } from "@storefront/rpc";
import type { OfferListing } from "../offer-search.ts";
import { pageOf } from "./columns/found-offers.ts";
import { newestVersions, priceGeneration, writtenSince } from "./columns/index-writes.ts";
import { timesOf } from "./columns/sort-keys.ts";
import { readFound } from "./read-found.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { priceTableOf, tablesOf } from "./tables.ts";

/** Looks at the index until it is given up: of two in a row the second one mostly knows what the first one did not. */
const maxLooks = 20;

/** After more that was written meanwhile a look is worth nothing. */
const maxWritten = 10_000;

/** What one look has found. Its parts are of several statements, and so of several moments. */
interface Look {
  /** Ids by number, in the order of the listing. */
  readonly found: ReadonlyMap<number, string>;
  /** Numbers of the offers that were written meanwhile; undefined when they are too many. */
  readonly written: ReadonlySet<number> | undefined;
  /** Whether other offers decide of an offer whether it is found. */
  readonly dependsOnOthers: boolean;
}

/**
 * The first offers that a search finds, each as it was at one moment: what was written while it was looked at, and may be
 * seen by half, is looked at again. Nobody waits for it, as they would for a lock.
 */
export async function listOffers(
  deps: SearchDependencies,
  generation: number,
  listing: OfferListing,
): Promise<readonly string[]> {
  const listed = new Map<number, string>();
  /** Numbers of the offers that no look has told of yet; undefined before the first. */
  let open: ReadonlySet<number> | undefined;
  for (let looks = 0; looks < maxLooks; looks++) {
    const { found, written, dependsOnOthers } = await look(deps, generation, listing);
    if (written?.size === 0) return [...found.values()];
    if (written === undefined || dependsOnOthers) continue;
    for (const [number, id] of found) {
      if (open?.has(number) !== false && !written.has(number)) listed.set(number, id);
    }
    open = new Set([...(open ?? written)].filter((number) => written.has(number)));
    if (open.size === 0 && listed.size <= listing.limit) return [...listed.values()];
  }
  throw unavailable("search index", new Error(`it was written during each of ${maxLooks} looks`));
}

async function look(
  deps: SearchDependencies,
  generation: number,
  listing: OfferListing,
): Promise<Look> {
  const { database } = deps;
  const versions = await newestVersions(database, [generation, priceGeneration]);
  const [ofOffers = 0n, ofPrices = 0n] = versions;
  const atLeast = { offers: ofOffers, prices: ofPrices };
  const seen = await readFound(
    deps,
    generation,
    listing,
    { isRanked: true, times: timesOf(listing.order.key), atLeast },
    async ({ found, text, columns }) => {
      const { numbers, offerIds } = pageOf(found, columns, { ...listing, offset: 0 }, text);
      return {
        found: new Map(numbers.map((number, index) => [number, offerIds[index] as string])),
        // Which are the first of more than the limit, and whether a word is taken for a misspelt one.
        dependsOnOthers: found.length > listing.limit || text?.isAsTyped === false,
      };
    },
  );
  const { region } = listing;
  const table = priceTableOf(region);
  const [offers, prices] = await Promise.all([
    writtenSince(
      database,
      { table: tablesOf(generation).offer, generation },
      atLeast.offers,
      maxWritten,
    ),
    table === undefined
      ? { numbers: [] }
      : writtenSince(
          database,
          { table, generation: priceGeneration, region },
          atLeast.prices,
          maxWritten,
        ),
  ]);
  if (offers === undefined || prices === undefined) return { ...seen, written: undefined };
  return { ...seen, written: new Set([...offers.numbers, ...prices.numbers]) };
}
