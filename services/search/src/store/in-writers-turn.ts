import { lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";

/** A transaction in turn with the feeds and all others that write to the index, whatever process they are of. */
export async function inWritersTurn<Result>(
  database: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    return await work(tx);
  });
}
