import { everything } from "../domain/offer-filter.ts";
import type { OfferSearch } from "./offer-search.ts";

interface Searching {
  searchOffers(search: OfferSearch): Promise<unknown>;
}

/**
 * A search that a process makes once, before it takes any of a client's: what the first one reads into memory
 * takes seconds for half a million offers. One that fails is made again when it is asked for again.
 */
export function firstSearch(engine: Searching): () => Promise<void> {
  let made: Promise<unknown> | undefined;
  return async () => {
    made ??= search(engine).catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    await made;
  };
}

async function search(engine: Searching): Promise<void> {
  await engine.searchOffers({
    filter: everything,
    order: { key: "lastModifiedDate", isAscending: false },
    region: "US",
    nowMs: Date.now(),
    offset: 0,
    limit: 1,
    aggregations: [],
  });
}
