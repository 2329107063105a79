import type { Queryable } from "@storefront/database";

/** Rows in a statement: 2 MB of JSON, which is parsed in 20 ms. */
const pageSize = 50_000;

/** Columns of some rows: each has a value for each row. */
export interface ColumnPage {
  /** Numbers of the rows, ascending. */
  readonly numbers: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
}

/**
 * Reads columns of a table whose rows have numbers, page by page: as columns, since half a million
 * rows are as many objects.
 *
 * @param expressions integers in SQL
 * @param only numbers of the rows that are read; default all
 */
export async function* columnPages(
  queryable: Queryable,
  table: string,
  expressions: readonly string[],
  only?: Int32Array,
): AsyncGenerator<ColumnPage> {
  const columns = ["number", ...expressions].map(
    (expression, index) => `json_agg(${expression} order by number) as c${index}`,
  );
  const isWanted = only === undefined ? "" : "and number = any($2::int[])";
  const wanted = only === undefined ? [] : [[...only]];
  const statement = `select ${columns.join(", ")} from (
      select * from ${table} where number > $1 ${isWanted} order by number limit ${pageSize}
    ) as page`;
  for (let after = 0; ;) {
    const row = await queryable.readOne<Record<string, number[] | null>>(statement, [
      after,
      ...wanted,
    ]);
    const [numbers = [], ...values] = Object.values(row ?? {}).map((column) => column ?? []);
    yield { numbers, columns: values };
    after = numbers.at(-1) ?? after;
    if (numbers.length < pageSize) return;
  }
}
