import { fromBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type { Transaction } from "@storefront/database";
import { fieldValues } from "../domain/offer-terms.ts";
import { priceDocument } from "../domain/price-history.ts";
import type {
  IndexWrites,
  OfferDocument,
  OfferPrices,
  PriceScope,
} from "../engine/index-documents.ts";
import { readEntries } from "../store/entry-store.ts";
import { readPrices } from "../store/price-store.ts";
import { readOffers } from "../store/source-offer-store.ts";
import type { OfferRow } from "../store/source-offer-store.ts";

/** Ids to reindex from the stored sources. */
export interface IndexChanges {
  readonly offers?: readonly string[];
  readonly removedOffers?: readonly string[];
  /** Prices that changed, or whose lows did; each offer at most once. */
  readonly prices?: readonly PriceScope[];
  readonly entries?: readonly string[];
  readonly removedEntries?: readonly string[];
}

/** Reads the documents of changed records, except prices; missing records have none. */
export async function readDocuments(tx: Transaction, changes: IndexChanges): Promise<IndexWrites> {
  const { offers = [], removedOffers = [], entries = [], removedEntries = [] } = changes;
  const stored = (offers.length === 0 ? [] : await readOffers(tx, offers)).map(storedOffer);
  return {
    offers: stored.map(offerDocument),
    removedOffers,
    entries: entries.length === 0 ? [] : await readEntries(tx, entries),
    removedEntries,
  };
}

/** Reads the documents of prices, for an external index. */
export async function readOfferPrices(
  tx: Transaction,
  scopes: readonly PriceScope[],
): Promise<OfferPrices[]> {
  const pricesByOffer = Map.groupBy(await readPrices(tx, scopes), ({ offerId }) => offerId);
  return scopes.flatMap((scope): OfferPrices[] => {
    const stored = pricesByOffer.get(scope.offerId);
    if (stored === undefined) return [];
    return [{ ...scope, prices: stored.flatMap((price) => priceDocument(price) ?? []) }];
  });
}

interface StoredOffer {
  readonly row: OfferRow;
  readonly offer: Offer;
}

function storedOffer(row: OfferRow): StoredOffer {
  return { row, offer: fromBinary(OfferSchema, row.record) };
}

/** The index document of a stored offer. */
function offerDocument({ row, offer }: StoredOffer): OfferDocument {
  return {
    offerId: offer.id,
    title: offer.title,
    description: offer.description,
    hasGiveaway: row.giveaways > 0,
    ...fieldValues({ ...row, offer }),
  };
}
