import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";

/** What is kept of a giveaway. */
export interface SourceGiveaway {
  readonly id: string;
  readonly offerId: string | undefined;
  readonly startMs: number | undefined;
  readonly endMs: number | undefined;
}

/** Stores giveaways; gives the offers that they were of and are of now. */
export async function storeGiveaways(
  tx: Transaction,
  giveaways: readonly SourceGiveaway[],
  removedIds: readonly string[],
): Promise<string[]> {
  const before = await tx.read<{ offer_id: string }>(
    "select offer_id from search.source_giveaway where id = any($1) and offer_id is not null",
    [[...giveaways.map(({ id }) => id), ...removedIds]],
  );
  await bulkUpsert(
    tx,
    {
      table: "search.source_giveaway",
      keyColumns: ["id"],
      columns: [
        { name: "id", type: "text" },
        { name: "offer_id", type: "text" },
        { name: "start_ms", type: "int8" },
        { name: "end_ms", type: "int8" },
      ],
    },
    giveaways.map(({ id, offerId, startMs, endMs }) => ({
      id,
      offer_id: offerId,
      start_ms: startMs,
      end_ms: endMs,
    })),
  );
  await bulkDelete(
    tx,
    { table: "search.source_giveaway", keyColumns: [{ name: "id", type: "text" }] },
    removedIds.map((id) => ({ id })),
  );
  const after = giveaways.flatMap(({ offerId }) => offerId ?? []);
  return [...new Set([...before.map(({ offer_id }) => offer_id), ...after])];
}
