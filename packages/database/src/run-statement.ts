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
  if (typeof statement === "string") return connection.query({ text: statement, values });
  const { name, text, isPlannedEachTime = false } = statement;
  return connection.query({ ...(isPlannedEachTime ? { label: name } : { name }), text, values });
}
