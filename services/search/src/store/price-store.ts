import { bulkUpsert } from "@storefront/database";
import type { StoredPrices } from "../domain/price-history.ts";
import type { Queryable, Transaction } from "@storefront/database";

/** The stored prices of offers, by offer id. */
export async function readPrices(
  queryable: Queryable,
  offerIds: readonly string[],
): Promise<Map<string, StoredPrices>> {
  const rows = await queryable.read<{ offer_id: string; prices: StoredPrices }>(
    {
      name: "search.readSourcePrices",
      text: "select offer_id, prices from search.source_price where offer_id = any($1)",
    },
    [offerIds],
  );
  return new Map(rows.map(({ offer_id, prices }) => [offer_id, prices]));
}

/** Stores all prices of offers, in place of those that they had. */
export async function storePrices(
  tx: Transaction,
  pricesByOffer: ReadonlyMap<string, StoredPrices>,
): Promise<void> {
  await bulkUpsert(
    tx,
    {
      table: "search.source_price",
      keyColumns: ["offer_id"],
      columns: [
        { name: "offer_id", type: "text" },
        { name: "prices", type: "jsonb" },
      ],
    },
    [...pricesByOffer].map(([offerId, prices]) => ({ offer_id: offerId, prices })),
  );
}

/**
 * Whether there are prices whose floor is not known: a release that knows none has stored them, lately or once.
 * Index `source_price_without_floor` has the offers.
 */
export async function lacksFloors(queryable: Queryable): Promise<boolean> {
  const row = await queryable.readOne<{ is_lacking: boolean }>({
    name: "search.lacksFloors",
    text: `select exists (
        select from search.source_price
        where prices @? 'strict $.* ? (@.size() < 5 || @[4] == null)') as is_lacking`,
  });
  return row?.is_lacking === true;
}
