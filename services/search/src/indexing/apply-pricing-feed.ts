import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { Transaction } from "@storefront/database";
import { asRegion } from "@storefront/identifiers";
import type { PriceState } from "@storefront/price-lows";
import { withPrice } from "../domain/price-history.ts";
import { storeGiveaways } from "../store/giveaway-store.ts";
import { readPrices, storePrices } from "../store/price-store.ts";
import type { SourceGiveaway } from "../store/source-tables.ts";
import type { IndexChanges } from "./index-changes.ts";
import { ms } from "../domain/offer-fields.ts";
import { latestRecords, present, removedIds } from "./latest-records.ts";

/** Stores what pricing wrote; tells what must be indexed anew. */
export async function applyPricingFeed(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<IndexChanges> {
  const seen = entries.filter(({ kind }) => kind === "price");
  const prices = await storePricesOf(tx, seen);
  const latest = latestRecords(entries, "giveaway", GiveawaySchema);
  const giveaways = present(latest).map(sourceGiveaway);
  const offers = await storeGiveaways(tx, giveaways, removedIds(latest));
  return { offers, prices };
}

/** Every state counts, for lows, and the lowest on record, may be of those between. */
async function storePricesOf(tx: Transaction, entries: readonly FeedEntry[]): Promise<string[]> {
  const offerIds = [...new Set(entries.map(({ key }) => key[0] ?? ""))];
  if (offerIds.length === 0) return [];
  const stored = await readPrices(tx, offerIds);
  const pricesByOffer = new Map(offerIds.map((id) => [id, stored.get(id) ?? {}]));
  for (const entry of entries) {
    const [offerId = "", code = ""] = entry.key;
    const prices = pricesByOffer.get(offerId);
    if (prices === undefined) continue;
    const region = asRegion(code);
    prices[region] = withPrice(entry.isForgotten ? undefined : prices[region], seenState(entry));
  }
  await storePrices(tx, pricesByOffer);
  return offerIds;
}

function seenState({ record, observedAt }: FeedEntry): PriceState {
  const observedAtMs = ms(observedAt) ?? 0;
  const seen = record && anyUnpack(record, OfferPriceSchema);
  if (seen?.price === undefined) return { observedAtMs };
  const { currencyCode, originalPrice, discountPrice } = seen.price;
  return {
    observedAtMs,
    updatedAtMs: ms(seen.updatedAt),
    price: {
      currencyCode,
      originalPrice: Number(originalPrice),
      discountPrice: Number(discountPrice),
    },
  };
}

function sourceGiveaway({ id, offerId, startDate, endDate }: Giveaway): SourceGiveaway {
  return { id, offerId, startMs: ms(startDate), endMs: ms(endDate) };
}
