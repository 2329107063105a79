import { columnParameter, unnestColumns } from "./column-values.ts";
import type { Column, RowValues } from "./column-values.ts";
import type { Transaction } from "./database.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** Where new rows go. */
export interface InsertTarget {
  /** Table with its schema, such as `catalog.change_log`. */
  table: string;
  columns: readonly Column[];
}

/**
 * Inserts rows in one statement. They are inserted in the order given, so an identity column numbers
 * them in that order. A key that is there already is an error of the server.
 *
 * @returns how many rows were inserted.
 */
export async function bulkInsert(
  tx: Transaction,
  { table, columns }: InsertTarget,
  rows: readonly RowValues[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const casts = columns.map(({ type }, index) => `source.${names[index]}::${type}`);
  // A function scan gives its rows in order, and an insert neither sorts nor runs in parallel.
  const { rowCount } = await tx.write(
    `insert into ${quoteIdentifier(table)} (${names.join(", ")})
      select ${casts.join(", ")} from ${unnestColumns(columns, names)}`,
    columns.map((column) => columnParameter(column, rows)),
  );
  return rowCount;
}
