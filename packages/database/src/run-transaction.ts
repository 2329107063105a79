import { activeCall } from "@storefront/call-scope";
import { beginStatement } from "./begin-statement.ts";
import type { TransactionBeginning } from "./begin-statement.ts";
import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import { ConnectionSilentError } from "./connection-silent-error.ts";
import type { Statement, Transaction, TransactionOptions } from "./database.ts";
import { queryableOver } from "./queryable-over.ts";
import { runStatement } from "./run-statement.ts";
import { withConnection } from "./with-connection.ts";

/** How the caller's part went; an error of its own leaves a clean connection behind. */
type Outcome<Result> =
  | { isCommitted: true; result: Result }
  | { isCommitted: false; error: unknown };

/** See `Database.transaction`. */
export async function runTransaction<Result>(
  pool: ConnectionPool,
  beginning: TransactionBeginning,
  work: (tx: Transaction) => Promise<Result>,
  options: TransactionOptions = {},
): Promise<Result> {
  const outcome = await withConnection(pool, async (connection): Promise<Outcome<Result>> => {
    await connection.query({ text: beginStatement(options, beginning) });
    const { tx, finish } = openTransaction(
      connection,
      options.isUnlimited === true ? 0 : undefined,
    );
    try {
      const result = await work(tx);
      finish();
      // Whoever has been told that it took too long would not expect it to have happened.
      const abortReason = activeCall()?.abortReason;
      if (abortReason !== undefined) throw abortReason;
      const { command } = await connection.query({ text: "commit" });
      // A statement failed and `work` went on: the server answers COMMIT by rolling back.
      if (command === "ROLLBACK") throw new Error("A statement of the transaction had failed.");
      return { isCommitted: true, result };
    } catch (error) {
      finish();
      if (error instanceof ConnectionSilentError) throw error;
      await connection.query({ text: "rollback" });
      return { isCommitted: false, error };
    }
  });
  if (outcome.isCommitted) return outcome.result;
  throw outcome.error;
}

/** A transaction that refuses statements once it is finished: they would run outside of it. */
function openTransaction(
  connection: PooledConnection,
  timeoutMs: number | undefined,
): { tx: Transaction; finish: () => void } {
  let isOpen = true;
  const run = async (statement: Statement, parameters: readonly unknown[]) => {
    if (!isOpen) throw new Error("The transaction is over; a statement of it was not awaited.");
    return runStatement(connection, statement, parameters, timeoutMs);
  };
  const tx: Transaction = {
    ...queryableOver({ read: run, write: run }),
    async script(sql) {
      await run(sql, []);
    },
  };
  return {
    tx,
    finish: () => {
      isOpen = false;
    },
  };
}
