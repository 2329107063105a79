import { setTimeout } from "node:timers/promises";
import { sqlState } from "./database-errors.ts";
import type { Database, Transaction } from "./database.ts";

/** Named, so that metrics have waits for the lock apart from waits for rows. */
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

/** How a turn is waited for. */
export interface TurnOptions {
  /** Between looks whether it has come, in milliseconds; default 250. */
  readonly lookEveryMs?: number;
  /** Ends the waiting, and what is not begun. */
  readonly signal?: AbortSignal | undefined;
  /** Called with why it waits, at each look. */
  readonly onWait?: (reason: "another turn" | "a table that is in use") => void;
}

/** SQLSTATE `lock_not_available`: `lock_timeout` has passed. */
const lockNotAvailable = "55P03";

// Whatever the role's default is: each statement is to see what was committed before it.
const turnTransaction = { isolation: "read committed", isUnlimited: true } as const;

/**
 * Runs `work` in a transaction that holds the lock of this name, waiting for it as long as it takes, whatever
 * the timeouts of the session are. When `work` cannot have a lock within `lock_timeout`, all is undone and tried
 * again.
 *
 * Polls instead of waiting in the database: a waiting statement holds a snapshot, for whose end
 * `create index concurrently` waits in turn, a deadlock that PostgreSQL does not notice.
 */
export async function inTurn<Result>(
  db: Database,
  lock: string,
  work: (tx: Transaction) => Promise<Result>,
  { lookEveryMs = 250, signal, onWait }: TurnOptions = {},
): Promise<Result> {
  for (;;) {
    signal?.throwIfAborted();
    try {
      const turn = await db.transaction(async (tx) => {
        return (await tryLock(tx, lock)) ? { result: await work(tx) } : undefined;
      }, turnTransaction);
      if (turn !== undefined) return turn.result;
      onWait?.("another turn");
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable) throw error;
      onWait?.("a table that is in use");
    }
    await setTimeout(lookEveryMs, undefined, { signal });
  }
}
