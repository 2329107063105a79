import { activeCall, settledWithin } from "@storefront/call-scope";
import type { Call } from "@storefront/call-scope";
import type { DriverStatement, PooledConnection, StatementResult } from "./connection-pool.ts";
import { ConnectionSilentError } from "./database-errors.ts";
import type { Statement, Queryable, WriteResult } from "./database.ts";
import { arrayText, scalarText } from "./sql-text.ts";

/**
 * Runs one statement on a connection, for the call that the running code works for.
 *
 * @param timeoutMs see {@link DriverStatement}
 */
export async function runStatement(
  connection: PooledConnection,
  statement: Statement,
  parameters: readonly unknown[],
  timeoutMs?: number,
): Promise<StatementResult> {
  const values = parameters.map(parameterValue);
  const query = { ...queryOf(statement, values), timeoutMs };
  const call = activeCall();
  return call === undefined ? connection.query(query) : queryForCall(connection, query, call);
}

function queryOf(statement: Statement, values: unknown[]): DriverStatement {
  if (typeof statement === "string") return { text: statement, values };
  const { name, text, isPlannedEachTime = false } = statement;
  return isPlannedEachTime ? { label: name, text, values } : { name, text, values };
}

/**
 * A statement's parameter as it is sent: bytes as they are, the rest as text. Done before a driver
 * sees it, since a driver that fails to encode one has half a statement sent already.
 *
 * @throws TypeError for what has no SQL form, such as a function or a circular object.
 */
function parameterValue(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === "object" && !(value instanceof Date)) return JSON.stringify(value);
  return scalarText(value);
}

/** How long a statement that is cancelled may take to end, in milliseconds; then its connection is given up. */
const cancelGraceMs = 1000;

/**
 * Runs a statement that is cancelled when nobody waits for the call any more. Settles once the
 * statement has ended and the server has acted on what it was asked, so that neither meets another
 * statement of the connection.
 *
 * @throws ConnectionSilentError when the statement does not end although it was cancelled.
 */
async function queryForCall(
  connection: PooledConnection,
  statement: DriverStatement,
  call: Call,
): Promise<StatementResult> {
  if (call.abortReason !== undefined) throw call.abortReason;
  const { cancel } = connection;
  if (cancel === undefined) return connection.query(statement);
  const silence = Promise.withResolvers<never>();
  let cancelling: Promise<void> | undefined;
  const ended = connection.query(statement);
  const stopListening = call.onAbort(() => {
    cancelling = cancel();
    void settledWithin(cancelGraceMs, Promise.allSettled([ended, cancelling]), () =>
      silence.reject(new ConnectionSilentError()),
    );
  });
  try {
    return await Promise.race([ended, silence.promise]);
  } finally {
    stopListening();
    if (cancelling !== undefined) await Promise.race([cancelling, silence.promise]);
  }
}

type Run = (statement: Statement, parameters: readonly unknown[]) => Promise<StatementResult>;

/**
 * The three ways to run a statement, over the two ways to reach a connection.
 *
 * @param run.read for statements that change nothing, so that it may try again.
 */
export function queryableOver(run: { read: Run; write: Run }): Queryable {
  // The row type is the caller's promise about its own SQL; checking every row would cost too much.
  /* oxlint-disable typescript/no-unsafe-type-assertion */
  return {
    async read<Row>(statement: Statement, parameters: readonly unknown[] = []): Promise<Row[]> {
      const { rows } = await run.read(statement, parameters);
      return rows as Row[];
    },
    async readOne<Row>(
      statement: Statement,
      parameters: readonly unknown[] = [],
    ): Promise<Row | undefined> {
      const { rows } = await run.read(statement, parameters);
      return rows[0] as Row | undefined;
    },
    async write<Row>(
      statement: Statement,
      parameters: readonly unknown[] = [],
    ): Promise<WriteResult<Row>> {
      const { rows, rowCount } = await run.write(statement, parameters);
      return { rows: rows as Row[], rowCount: rowCount ?? 0 };
    },
  };
  /* oxlint-enable typescript/no-unsafe-type-assertion */
}
