import { setTimeout } from "node:timers/promises";
import type { Database, Transaction } from "./database.ts";

/** How often a migrator looks whether its turn has come, in milliseconds. */
const lookEveryMs = 250;

/** SQLSTATE `lock_not_available`: `lock_timeout` has passed. */
const lockNotAvailable = "55P03";

// Whatever the role's default is: each statement is to see what was committed before it.
const migratorTransaction = { isolation: "read committed", isUnlimited: true } as const;

/**
 * Runs `work` in a transaction that no other migrator of the schema runs beside, waiting for it as
 * long as it takes, whatever the timeouts of the session are. When `work` cannot have a lock within
 * the `lock_timeout` that it sets, all is undone and tried again.
 *
 * @param onWait told why it waits, at each look.
 */
export async function inTurn<Result>(
  db: Database,
  schema: string,
  work: (tx: Transaction) => Promise<Result>,
  onWait: (reason: "another migrator" | "a table that is in use") => void,
): Promise<Result> {
  for (;;) {
    try {
      const turn = await db.transaction(async (tx) => {
        return (await tryLock(tx, schema)) ? { result: await work(tx) } : undefined;
      }, migratorTransaction);
      if (turn !== undefined) return turn.result;
      onWait("another migrator");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === lockNotAvailable))
        throw error;
      onWait("a table that is in use");
    }
    await setTimeout(lookEveryMs);
  }
}

/**
 * Asks instead of waiting in the database: a statement that waits holds a snapshot, for whose end
 * `create index concurrently` waits in turn, and nobody would notice that deadlock.
 */
async function tryLock(tx: Transaction, schema: string): Promise<boolean> {
  const row = await tx.readOne<{ is_mine: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as is_mine",
    [`migrations:${schema}`],
  );
  return row?.is_mine === true;
}
