import { lockWriters } from "@storefront/database";
import type { Database, Transaction } from "@storefront/database";

/**
 * Runs a transaction under the writers' lock, in turn with the feeds and all other writers of the index in any process.
 */
export async function inWritersTurn<Result>(
  database: Database,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> {
  return await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    return await work(tx);
  });
}
