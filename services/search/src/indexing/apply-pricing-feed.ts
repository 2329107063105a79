import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import type { Giveaway } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { Transaction } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import type { PriceState } from "@storefront/domain/price-lows";
import { ms } from "../domain/offer-fields.ts";
import { withPrice } from "../domain/price-history.ts";
import { readPrices, storeWithLows } from "../store/price-store.ts";
import type { RegionPrice } from "../store/price-store.ts";
import { giveawayTable, storeSources } from "../store/source-tables.ts";
import type { SourceGiveaway } from "../store/source-tables.ts";
import type { IndexChanges } from "./index-changes.ts";
import { latestRecords, present, removedIds } from "./latest-records.ts";

/** Stores prices and giveaways; returns what must be reindexed. */
export async function applyPricingFeed(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<IndexChanges> {
  const seen = entries.filter(({ kind }) => kind === "price");
  const stored = await storePricesOf(tx, seen);
  const prices = [...Map.groupBy(stored, ({ offerId }) => offerId)].map(
    ([offerId, offerPrices]) => ({
      offerId,
      regions: offerPrices.map(({ region }) => region),
    }),
  );
  const latest = latestRecords(entries, "giveaway", GiveawaySchema);
  const giveaways = present(latest).map(sourceGiveaway);
  const offers = await storeGiveaways(tx, giveaways, removedIds(latest));
  return { offers, prices };
}

/** Stores the prices after these entries; every state counts for lows and the lowest on record. */
async function storePricesOf(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<RegionPrice[]> {
  if (entries.length === 0) return [];
  const firsts = [...Map.groupBy(entries, keyText).values()].flatMap(([first]) => first ?? []);
  const scopes = firsts
    // Earlier states do not count.
    .filter(({ isForgotten }) => !isForgotten)
    .map(priceKey)
    .map(({ offerId, region }) => ({ offerId, regions: [region] }));
  const stored = await readPrices(tx, scopes);
  const prices = new Map<string, RegionPrice>(
    stored.map((price) => [keyText({ key: [price.offerId, price.region] }), price]),
  );
  for (const entry of entries) {
    const key = keyText(entry);
    const before = entry.isForgotten ? undefined : prices.get(key);
    prices.set(key, { ...priceKey(entry), ...withPrice(before, seenState(entry)) });
  }
  await storeWithLows(tx, [...prices.values()]);
  return [...prices.values()];
}

function keyText({ key: [offerId = "", code = ""] }: Pick<FeedEntry, "key">): string {
  return JSON.stringify([offerId, code]);
}

function priceKey({ key: [offerId = "", code = ""] }: FeedEntry) {
  return { offerId, region: asRegion(code) };
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

/** Stores giveaways; returns their former and present offers. */
async function storeGiveaways(
  tx: Transaction,
  giveaways: readonly SourceGiveaway[],
  removed: readonly string[],
): Promise<string[]> {
  if (giveaways.length + removed.length === 0) return [];
  const before = await tx.read<{ offer_id: string }>(
    "select offer_id from search.source_giveaway where id = any($1) and offer_id is not null",
    [[...giveaways.map(({ id }) => id), ...removed]],
  );
  await storeSources(tx, giveawayTable, giveaways, removed);
  const after = giveaways.flatMap(({ offerId }) => offerId ?? []);
  return [...new Set([...before.map(({ offer_id }) => offer_id), ...after])];
}
