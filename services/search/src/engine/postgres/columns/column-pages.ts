import type { Queryable } from "@storefront/database";
import type { ReadWriteLock } from "./read-write-lock.ts";

/** Rows in a statement: 2 MB of JSON, which is parsed in 20 ms. */
const pageSize = 50_000;

/** Columns of some rows: each has a value for each row. */
export interface ColumnPage {
  /** Numbers of the rows, ascending. */
  readonly numbers: readonly number[];
  readonly columns: readonly (readonly (number | null)[])[];
}

/** A column of integers, or of what is true or not. */
export interface PagedColumn {
  readonly name: string;
  /** Whether it is true or not: 1 or 0. Default false. */
  readonly isFlag?: boolean;
}

/** Columns of a table whose rows have numbers, read page by page. */
export abstract class PagedColumns {
  readonly #table: string;
  readonly #lock: ReadWriteLock;
  /** Integers in SQL. */
  readonly #expressions: readonly string[];

  /** @param lock of those who read them */
  constructor(table: string, lock: ReadWriteLock, columns: readonly PagedColumn[]) {
    this.#table = table;
    this.#lock = lock;
    this.#expressions = columns.map(
      ({ name, isFlag = false }) => `${name}${isFlag ? "::int" : ""}`,
    );
  }

  /** Reads all of the table, into columns that are empty. */
  async readAll(queryable: Queryable): Promise<void> {
    for await (const page of columnPages(queryable, this.#table, this.#expressions)) this.add(page);
  }

  /** Reads the rows with these numbers again. */
  async readAnew(queryable: Queryable, numbers: Int32Array): Promise<void> {
    const pages = await Array.fromAsync(
      columnPages(queryable, this.#table, this.#expressions, numbers),
    );
    await this.#lock.write(() => {
      for (const number of numbers) this.forget(number);
      for (const page of pages) this.add(page);
    });
  }

  protected abstract add(page: ColumnPage): void;

  /** Of a row that may be gone, or never was. */
  protected abstract forget(number: number): void;
}

/**
 * Reads columns of a table whose rows have numbers, page by page: as columns, since half a million
 * rows are as many objects.
 *
 * @param expressions integers in SQL
 * @param only numbers of the rows that are read; default all
 */
async function* columnPages(
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
