import { activeCall } from "@storefront/call-scope";
import type { DriverStatement, PooledConnection, StatementResult } from "./connection-pool.ts";
import type { Statement } from "./database.ts";
import { parameterValue } from "./parameter-value.ts";
import { queryForCall } from "./query-for-call.ts";

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
