import type { Database, Transaction } from "@storefront/database";
import type { OfferPrices } from "../../src/engine/index-documents.ts";
import type { SearchEngine } from "../../src/engine/search-engine.ts";
import { storePrices } from "../../src/store/price-store.ts";

/** An engine in the database that also stores prices, like the service. A new generation starts without prices. */
export function withStoredPrices(engine: SearchEngine, database: Database): SearchEngine {
  return {
    ...engine,
    createGeneration: async (generation, options) => {
      await database.write("delete from search.price");
      await engine.createGeneration(generation, options);
    },
    write: async (tx, generation, { prices = [], ...writes }) => {
      if (tx !== undefined) await storeDocuments(tx, prices);
      return await engine.write(tx, generation, writes);
    },
  };
}

/** Stores prices without their past. */
export async function storeDocuments(
  tx: Transaction,
  offers: readonly OfferPrices[],
): Promise<void> {
  await tx.write(
    `update search.price set original = null, discounted = null, updated_at = null, is_lowest = false, lowest_since = null
      from unnest($1::text[], $2::jsonb[]) as wanted(offer_id, regions) join search.offer_number using (offer_id)
      where price.number = offer_number.number and (regions = 'null' or regions ? region)`,
    [
      offers.map(({ offerId }) => offerId),
      offers.map(({ regions = null }) => JSON.stringify(regions)),
    ],
  );
  await storePrices(
    tx,
    offers.flatMap(({ offerId, prices }) =>
      prices.map(
        ({ region, originalPrice, discountPrice, updatedAtMs, isLowest, lowestSinceMs }) => ({
          offerId,
          region,
          original: originalPrice,
          discounted: discountPrice,
          updatedAtMs: updatedAtMs ?? null,
          lowest: null,
          floor: null,
          isLowest,
          lowestSinceMs: lowestSinceMs ?? null,
        }),
      ),
    ),
  );
}
