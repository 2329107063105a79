import type { ConnectionPool } from "./connection-pool.ts";
import { withConnection } from "./with-connection.ts";

/** See `Database.outsideTransaction`. */
export async function runOutsideTransaction(
  pool: ConnectionPool,
  hasSessions: boolean,
  statements: readonly string[],
): Promise<void> {
  await withConnection(pool, async (connection) => {
    // What is set beyond a transaction is set for others where sessions are not one's own.
    if (hasSessions) await connection.query({ text: "set statement_timeout = 0" });
    try {
      for (const text of statements) await connection.query({ text, timeoutMs: 0 });
    } finally {
      if (hasSessions) await connection.query({ text: "reset statement_timeout" });
    }
  });
}
