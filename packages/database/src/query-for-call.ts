import type { Call } from "@storefront/call-scope";
import type { DriverStatement, PooledConnection, StatementResult } from "./connection-pool.ts";
import { ConnectionSilentError } from "./connection-silent-error.ts";

/** How long a statement that is cancelled may take to end, in milliseconds; then its connection is given up. */
const cancelGraceMs = 2000;

/**
 * Runs a statement that is cancelled when nobody waits for the call any more. Settles once the
 * statement has ended and the server has acted on what it was asked, so that neither meets another
 * statement of the connection.
 *
 * @throws ConnectionSilentError when the statement does not end although it was cancelled.
 */
export async function queryForCall(
  connection: PooledConnection,
  statement: DriverStatement,
  call: Call,
): Promise<StatementResult> {
  if (call.abortReason !== undefined) throw call.abortReason;
  const { cancel } = connection;
  if (cancel === undefined) return connection.query(statement);
  const silence = Promise.withResolvers<never>();
  let cancelling: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stopListening = call.onAbort(() => {
    cancelling = cancel();
    timer = setTimeout(() => silence.reject(new ConnectionSilentError()), cancelGraceMs);
  });
  try {
    return await Promise.race([connection.query(statement), silence.promise]);
  } finally {
    stopListening();
    if (cancelling !== undefined) await Promise.race([cancelling, silence.promise]);
    clearTimeout(timer);
  }
}
