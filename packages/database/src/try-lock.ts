import type { Transaction } from "./database.ts";

/** Takes the lock of this name until the transaction ends; false at once where another transaction holds it. */
export async function tryLock(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx.readOne<{ is_mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine",
    [name],
  );
  return row?.is_mine === true;
}
