import { activeCall } from "@storefront/call-scope";
import type { PooledConnection, StatementResult } from "./connection-pool.ts";
import type { Statement } from "./database.ts";
import { parameterValue } from "./parameter-value.ts";
import { queryForCall } from "./query-for-call.ts";

/** Runs one statement on a connection, for the call that the running code works for. */
export async function runStatement(
  connection: PooledConnection,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<StatementResult> {
  const values = parameters.map(parameterValue);
  const query = queryOf(statement, values);
  const call = activeCall();
  return call === undefined ? connection.query(query) : queryForCall(connection, query, call);
}

function queryOf(statement: Statement, values: unknown[]): Parameters<PooledConnection["query"]>[0] {
  if (typeof statement === "string") return { text: statement, values };
  const { name, text, isPlannedEachTime = false } = statement;
  return isPlannedEachTime ? { label: name, text, values } : { name, text, values };
}
