import { unavailable } from "@storefront/rpc";
import type { OfferListing } from "../offer-search.ts";
import { pageOf } from "./columns/found-offers.ts";
import { newestVersions, priceGeneration, writtenSince } from "./columns/index-writes.ts";
import { timesOf } from "./columns/sort-keys.ts";
import { readFound } from "./read-found.ts";
import type { SearchDependencies } from "./search-dependencies.ts";
import { pricesIn, tablesOf } from "./tables.ts";

/** Maximum reads of the index; the second one usually succeeds. */
const maxReads = 20;

/** After more concurrent writes a read is useless. */
const maxWritten = 10_000;

/** The result of one read, whose parts are of several statements and moments. */
interface Read {
  /** Ids by number, in the order of the listing. */
  readonly found: ReadonlyMap<number, string>;
  /** Numbers of concurrently written offers; undefined when there are too many. */
  readonly written: ReadonlySet<number> | undefined;
  /** Whether other offers affect an offer's membership. */
  readonly dependsOnOthers: boolean;
}

/**
 * The first results of a search, each consistent at one moment: offers that were written during a read are read again.
 * Takes no locks.
 */
export async function listOffers(
  deps: SearchDependencies,
  generation: number,
  listing: OfferListing,
): Promise<readonly string[]> {
  const listed = new Map<number, string>();
  /** Offers without a consistent read so far; undefined before the first. */
  let open: ReadonlySet<number> | undefined;
  for (let reads = 0; reads < maxReads; reads++) {
    const { found, written, dependsOnOthers } = await readOnce(deps, generation, listing);
    if (written?.size === 0) return [...found.values()];
    if (written === undefined || dependsOnOthers) continue;
    for (const [number, id] of found) {
      if (open?.has(number) !== false && !written.has(number)) listed.set(number, id);
    }
    open = new Set([...(open ?? written)].filter((number) => written.has(number)));
    if (open.size === 0 && listed.size <= listing.limit) return [...listed.values()];
  }
  throw unavailable("search index", new Error(`it was written during each of ${maxReads} reads`));
}

async function readOnce(
  deps: SearchDependencies,
  generation: number,
  listing: OfferListing,
): Promise<Read> {
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
        // When the limit cuts the results, or corrections replace a word.
        dependsOnOthers: found.length > listing.limit || text?.isAsTyped === false,
      };
    },
  );
  const { region } = listing;
  const table = pricesIn(region);
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
