import type { ConnectionPool, PooledConnection } from "./connection-pool.ts";
import { withConnection } from "./with-connection.ts";

/** Limits of a session, which are for statements that somebody waits for. */
const limits = ["statement_timeout", "lock_timeout"];

/** See `Database.outsideTransaction`. */
export async function runOutsideTransaction(
  pool: ConnectionPool,
  hasSessions: boolean,
  statements: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  try {
    await withConnection(pool, async (connection) => {
      // What is set beyond a transaction is set for others where sessions are not one's own.
      const set = hasSessions ? limits : [];
      for (const limit of set) await connection.query({ text: `set ${limit} = 0` });
      try {
        for (const text of statements) await runUntilAborted(connection, text, signal);
      } finally {
        for (const limit of set) await connection.query({ text: `reset ${limit}` });
      }
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Settles once the server has acted on what it was asked, so that a late cancellation meets nothing else. */
async function runUntilAborted(
  connection: PooledConnection,
  text: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  signal?.throwIfAborted();
  let cancelling: Promise<void> | undefined;
  const cancel = () => {
    cancelling = connection.cancel?.();
  };
  signal?.addEventListener("abort", cancel, { once: true });
  try {
    await connection.query({ text, timeoutMs: 0 });
  } finally {
    signal?.removeEventListener("abort", cancel);
    await cancelling;
  }
}
