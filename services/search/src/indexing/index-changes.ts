import type { Transaction } from "@storefront/database";
import type { IndexWrites, OfferPrices } from "../engine/index-documents.ts";
import { ms } from "../domain/offer-fields.ts";
import { priceDocuments } from "../domain/price-history.ts";
import { readEntries } from "../store/entry-store.ts";
import { readPrices } from "../store/price-store.ts";
import { readOffers } from "../store/source-offer-store.ts";
import { offerDocument, storedOffer } from "./offer-document.ts";

/** Ids of what must be indexed anew, from what is stored. */
export interface IndexChanges {
  readonly offers?: readonly string[];
  readonly removedOffers?: readonly string[];
  /** Offers whose prices changed, or what counts of them as lows. */
  readonly prices?: readonly string[];
  readonly entries?: readonly string[];
  readonly removedEntries?: readonly string[];
}

/** The documents of what changed, out of what is stored; what is not stored has none. */
export async function readDocuments(tx: Transaction, changes: IndexChanges): Promise<IndexWrites> {
  const { offers = [], removedOffers = [], prices = [] } = changes;
  const { entries = [], removedEntries = [] } = changes;
  const read = [...new Set([...offers, ...prices])];
  const stored = (read.length === 0 ? [] : await readOffers(tx, read)).map(storedOffer);
  const isChanged = new Set(offers);
  const releases = new Map(stored.map(({ offer }) => [offer.id, ms(offer.releaseDate)]));
  const pricesByOffer = prices.length === 0 ? new Map() : await readPrices(tx, prices);
  return {
    offers: stored.filter(({ offer }) => isChanged.has(offer.id)).map(offerDocument),
    removedOffers,
    // What was before the release is no low.
    prices: [...pricesByOffer].map(([offerId, each]): OfferPrices => ({
      offerId,
      prices: priceDocuments(each, releases.get(offerId)),
    })),
    entries: entries.length === 0 ? [] : await readEntries(tx, entries),
    removedEntries,
  };
}
