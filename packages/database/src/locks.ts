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
 * Waits for this schema's writer lock and holds it until the transaction ends, so that writers of a schema
 * commit one after the other, in the order of the lock.
 */
export async function lockWriters(tx: Transaction, schema: string): Promise<void> {
  await tx.read(statement, [`writers:${schema}`]);
}

/** As {@link lockWriters}, but returns false at once when another transaction holds the lock. */
export async function tryLockWriters(tx: Transaction, schema: string): Promise<boolean> {
  return await tryLock(tx, `writers:${schema}`);
}

/** Takes the lock of this name until the transaction ends; false at once when another transaction holds it. */
export async function tryLock(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx.readOne<{ is_mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine",
    [name],
  );
  return row?.is_mine === true;
}

/** How to wait for a lock. */
export interface TurnOptions {
  /** Interval of attempts in milliseconds; default 250. */
  readonly lookEveryMs?: number;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each attempt with what it waits for. */
  readonly onWait?: (reason: "another turn" | "a table that is in use") => void;
}

/** SQLSTATE `lock_not_available`: `lock_timeout` has passed. */
const lockNotAvailable = "55P03";

// Independent of the role's default: each statement must see earlier commits.
const turnTransaction = { isolation: "read committed", isUnlimited: true } as const;

/**
 * Runs `work` in a transaction that holds the lock of this name. Waits without limit, whatever the timeouts of
 * the session are. When `work` does not get a lock within `lock_timeout`, the transaction is rolled back and retried.
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
