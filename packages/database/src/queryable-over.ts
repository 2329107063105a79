import type { StatementResult } from "./connection-pool.ts";
import type { Queryable, Statement, WriteResult } from "./database.ts";

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
