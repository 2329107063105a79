import type { Transaction } from "@storefront/database";
import { dependsOnRelease, indexedLows } from "../domain/price-history.ts";
import { storePrices } from "../store/price-store.ts";
import type { RegionPrice } from "../store/price-store.ts";
import { readReleases } from "../store/source-offer-store.ts";

/** Stores prices with what an index holds of their lows, by the releases of the offers as they are stored. */
export async function storeWithLows(
  tx: Transaction,
  prices: readonly RegionPrice[],
): Promise<void> {
  const released = new Set(prices.filter(dependsOnRelease).map(({ offerId }) => offerId));
  const releases = released.size === 0 ? undefined : await readReleases(tx, [...released]);
  await storePrices(
    tx,
    prices.map((price) => ({ ...price, ...indexedLows(price, releases?.get(price.offerId)) })),
  );
}
