import { columnParameter, unnestColumns } from "./column-values.ts";
import type { Column, RowValues } from "./column-values.ts";
import type { Transaction } from "./database.ts";
import { lastRowOfEachKey } from "./last-row-of-each-key.ts";
import { quoteIdentifier } from "./quote-identifier.ts";

/** Where rows go and what identifies them. */
export interface UpsertTarget {
  /** Table with its schema, such as `catalog.offer`. */
  table: string;
  /** Columns of a primary key or unique constraint; all of them also in `columns`. */
  keyColumns: readonly string[];
  columns: readonly Column[];
  /**
   * Leaves rows alone whose columns are as they are to be: for tables whose indexes are dear to write, and
   * that are written again with what they have; default false.
   */
  leavesSame?: boolean;
}

/**
 * Inserts rows, or replaces the given columns of those whose key is there, in one statement. Of
 * several rows with one key the last wins. A table of keys only leaves rows that are there alone.
 *
 * @returns how many rows were written.
 */
export async function bulkUpsert(
  tx: Transaction,
  target: UpsertTarget,
  rows: readonly RowValues[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const unique = lastRowOfEachKey(rows, target.keyColumns);
  const { rowCount } = await tx.write(
    upsertStatement(target),
    target.columns.map((column) => columnParameter(column, unique)),
  );
  return rowCount;
}

function upsertStatement({ table, keyColumns, columns, leavesSame }: UpsertTarget): string {
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const casts = columns.map(({ type }, index) => `source.${names[index]}::${type}`);
  const others = columns
    .filter(({ name }) => !keyColumns.includes(name))
    .map(({ name }) => quoteIdentifier(name));
  const updates = others.map((name) => `${name} = excluded.${name}`);
  const list = (prefix: string) => others.map((name) => `${prefix}.${name}`).join(", ");
  const onlyOther =
    leavesSame === true ? `where (${list("stored")}) is distinct from (${list("excluded")})` : "";
  return `insert into ${quoteIdentifier(table)} as stored (${names.join(", ")})
    select ${casts.join(", ")} from ${unnestColumns(columns, names)}
    on conflict (${keyColumns.map(quoteIdentifier).join(", ")})
    do ${updates.length === 0 ? "nothing" : `update set ${updates.join(", ")} ${onlyOther}`}`;
}
