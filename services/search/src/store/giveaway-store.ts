import type { Transaction } from "@storefront/database";
import { giveawayTable, storeSources } from "./source-tables.ts";
import type { SourceGiveaway } from "./source-tables.ts";

/** Stores giveaways; gives the offers that they were of and are of now. */
export async function storeGiveaways(
  tx: Transaction,
  giveaways: readonly SourceGiveaway[],
  removedIds: readonly string[],
): Promise<string[]> {
  if (giveaways.length + removedIds.length === 0) return [];
  const before = await tx.read<{ offer_id: string }>(
    "select offer_id from search.source_giveaway where id = any($1) and offer_id is not null",
    [[...giveaways.map(({ id }) => id), ...removedIds]],
  );
  await storeSources(tx, giveawayTable, giveaways, removedIds);
  const after = giveaways.flatMap(({ offerId }) => offerId ?? []);
  return [...new Set([...before.map(({ offer_id }) => offer_id), ...after])];
}
