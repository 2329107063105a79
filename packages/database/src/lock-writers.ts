import type { Transaction } from "./database.ts";

/**
 * Waits until no other transaction holds this schema's writer lock, and holds it until the
 * transaction ends: writers of a schema then commit one after the other, in the order of the lock.
 */
export async function lockWriters(tx: Transaction, schema: string): Promise<void> {
  await tx.read("select pg_advisory_xact_lock(hashtextextended($1, 0))", [`writers:${schema}`]);
}
