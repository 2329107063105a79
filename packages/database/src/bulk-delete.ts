import { columnParameter, unnestColumns } from "./column-values.ts";
import type { Column, RowValues } from "./column-values.ts";
import type { Transaction } from "./database.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** Which rows to delete: those of `table` that agree with a given row in every key column. */
export interface DeleteTarget {
  /** Table with its schema, such as `catalog.offer`. */
  table: string;
  keyColumns: readonly Column[];
}

/**
 * Deletes the rows with the given keys in one statement; a null in a key matches nothing.
 *
 * @returns how many rows were deleted.
 */
export async function bulkDelete(
  tx: Transaction,
  { table, keyColumns }: DeleteTarget,
  rows: readonly RowValues[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const names = keyColumns.map(({ name }) => quoteIdentifier(name));
  const matches = keyColumns.map(
    ({ type }, index) => `target.${names[index]} = source.${names[index]}::${type}`,
  );
  const { rowCount } = await tx.write(
    `delete from ${quoteIdentifier(table)} as target
      using ${unnestColumns(keyColumns, names)}
      where ${matches.join(" and ")}`,
    keyColumns.map((column) => columnParameter(column, rows)),
  );
  return rowCount;
}
