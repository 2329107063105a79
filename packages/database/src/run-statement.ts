import type { PooledConnection, StatementResult } from "./connection-pool.ts";
import type { Statement } from "./database.ts";
import { parameterValue } from "./parameter-value.ts";

/** Runs one statement on a connection. */
export async function runStatement(
  connection: PooledConnection,
  statement: Statement,
  parameters: readonly unknown[],
): Promise<StatementResult> {
  const values = parameters.map(parameterValue);
  return typeof statement === "string"
    ? connection.query({ text: statement, values })
    : connection.query({ name: statement.name, text: statement.text, values });
}
