import { defaultRegion } from "@storefront/regions";
import { everything } from "../domain/offer-filter.ts";
import type { OfferSearch } from "./offer-search.ts";

interface Searching {
  searchOffers(search: OfferSearch): Promise<unknown>;
}

/**
 * A search that a process makes once, without a text and with one, before it takes any of a client's: what
 * the first ones read into memory takes seconds for half a million offers, and words are read on meanwhile.
 * One that fails is made again when it is asked for again.
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

/**
 * Whoever searches by a text has words read. Until they are, the database finds it: at one look, as hardly any word
 * begins so, and no misspelling is looked for in so short a one.
 */
const rareText = "zqx";

async function search(engine: Searching): Promise<void> {
  const asked: OfferSearch = {
    filter: everything,
    order: { key: "lastModifiedDate", isAscending: false },
    region: defaultRegion,
    nowMs: Date.now(),
    offset: 0,
    limit: 1,
    aggregations: [],
  };
  await engine.searchOffers(asked);
  await engine.searchOffers({ ...asked, filter: { ...everything, text: rareText } });
}
