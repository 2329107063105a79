import type { Transaction } from "./database.ts";

/** Named, so that what waits for the lock is told from what waits for rows. */
export const lockWritersName = "writers.lock";

const statement = {
  name: lockWritersName,
  text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
};

/**
 * Waits until no other transaction holds this schema's writer lock, and holds it until the
 * transaction ends: writers of a schema then commit one after the other, in the order of the lock.
 */
export async function lockWriters(tx: Transaction, schema: string): Promise<void> {
  await tx.read(statement, [`writers:${schema}`]);
}

/** As {@link lockWriters}, but false at once where another transaction holds the lock. */
export async function tryLockWriters(tx: Transaction, schema: string): Promise<boolean> {
  return await tryLock(tx, `writers:${schema}`);
}

/** Takes the lock of this name until the transaction ends; false at once where another transaction holds it. */
export async function tryLock(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx.readOne<{ is_mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine",
    [name],
  );
  return row?.is_mine === true;
}
