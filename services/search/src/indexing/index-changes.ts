import type { Transaction } from "@storefront/database";
import type { IndexWrites, OfferPrices } from "../engine/index-documents.ts";
import { priceDocuments } from "../domain/price-history.ts";
import { readEntries } from "../store/entry-store.ts";
import { readPrices } from "../store/price-store.ts";
import { readOffers } from "../store/source-offer-store.ts";
import { offerDocument } from "./offer-document.ts";

/** Ids of what must be indexed anew, from what is stored. */
export interface IndexChanges {
  readonly offers?: readonly string[];
  readonly removedOffers?: readonly string[];
  /** Offers whose prices changed. */
  readonly prices?: readonly string[];
  readonly entries?: readonly string[];
  readonly removedEntries?: readonly string[];
}

/** The documents of what changed, out of what is stored; what is not stored has none. */
export async function readDocuments(tx: Transaction, changes: IndexChanges): Promise<IndexWrites> {
  const { offers = [], removedOffers = [], prices = [] } = changes;
  const { entries = [], removedEntries = [] } = changes;
  const rows = offers.length === 0 ? [] : await readOffers(tx, offers);
  const pricesByOffer = prices.length === 0 ? new Map() : await readPrices(tx, prices);
  return {
    offers: rows.map(offerDocument),
    removedOffers,
    prices: [...pricesByOffer].map(([offerId, stored]): OfferPrices => ({
      offerId,
      prices: priceDocuments(stored),
    })),
    entries: entries.length === 0 ? [] : await readEntries(tx, entries),
    removedEntries,
  };
}
