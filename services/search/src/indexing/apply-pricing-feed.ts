import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import type { Transaction } from "@storefront/database";
import { withPrice } from "../domain/price-history.ts";
import type { SeenPrice } from "../domain/price-history.ts";
import { storeGiveaways } from "../store/giveaway-store.ts";
import type { SourceGiveaway } from "../store/giveaway-store.ts";
import { readPrices, storePrices } from "../store/price-store.ts";
import type { IndexChanges } from "./index-changes.ts";
import { ms } from "./offer-document.ts";

/** Stores what pricing wrote; tells what must be indexed anew. */
export async function applyPricingFeed(
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<IndexChanges> {
  const prices = await storePricesOf(
    tx,
    entries.filter(({ kind }) => kind === "price"),
  );
  const offers = await storeGiveawaysOf(
    tx,
    entries.filter(({ kind }) => kind === "giveaway"),
  );
  return { offers, prices };
}

/** Every state counts, for the lowest on record may be one of those between. */
async function storePricesOf(tx: Transaction, entries: readonly FeedEntry[]): Promise<string[]> {
  const offerIds = [...new Set(entries.map(({ key }) => key[0] ?? ""))];
  if (offerIds.length === 0) return [];
  const stored = await readPrices(tx, offerIds);
  const pricesByOffer = new Map(offerIds.map((id) => [id, stored.get(id) ?? {}]));
  for (const entry of entries) {
    const [offerId = "", region = ""] = entry.key;
    const prices = pricesByOffer.get(offerId);
    if (prices === undefined) continue;
    prices[region] = withPrice(entry.isForgotten ? undefined : prices[region], seenPrice(entry));
  }
  await storePrices(tx, pricesByOffer);
  return offerIds;
}

function seenPrice({ record }: FeedEntry): SeenPrice | undefined {
  const seen = record && anyUnpack(record, OfferPriceSchema);
  if (seen?.price === undefined) return undefined;
  return {
    original: Number(seen.price.originalPrice),
    discounted: Number(seen.price.discountPrice),
    updatedAtMs: ms(seen.updatedAt),
  };
}

async function storeGiveawaysOf(tx: Transaction, entries: readonly FeedEntry[]): Promise<string[]> {
  const latest = new Map<string, SourceGiveaway | undefined>();
  for (const { key, record } of entries) {
    const [id = ""] = key;
    const giveaway = record && anyUnpack(record, GiveawaySchema);
    latest.set(
      id,
      giveaway && {
        id,
        offerId: giveaway.offerId,
        startMs: ms(giveaway.startDate),
        endMs: ms(giveaway.endDate),
      },
    );
  }
  if (latest.size === 0) return [];
  const present = [...latest.values()].filter((giveaway) => giveaway !== undefined);
  const removed = [...latest].flatMap(([id, giveaway]) => (giveaway === undefined ? [id] : []));
  return await storeGiveaways(tx, present, removed);
}
