import type { Transaction } from "./database.ts";
import { quoteIdentifier, arrayText, scalarText } from "./sql-text.ts";

/** Table, columns and key of written rows. */
export interface UpsertTarget {
  /** Table with its schema, such as `catalog.offer`. */
  table: string;
  /** Columns of a primary key or unique constraint; all of them also in `columns`. */
  keyColumns: readonly string[];
  columns: readonly Column[];
  /**
   * Skips rows whose columns already have these values: for tables with expensive indexes that are often written
   * unchanged; default false.
   */
  leavesSame?: boolean;
}

/**
 * Inserts rows, or replaces the given columns of existing rows with the same key, in one statement. Of
 * several rows with one key the last wins. In a table with only key columns, existing rows stay.
 *
 * @returns how many rows were written.
 */
export async function bulkUpsert(
  tx: Transaction,
  { table, keyColumns, columns, leavesSame = false }: UpsertTarget,
  rows: readonly RowValues[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const source = rowSource(columns, lastRowOfEachKey(rows, keyColumns));
  const keys = keyColumns.map(quoteIdentifier);
  const others = source.names.filter((name) => !keys.includes(name));
  const updates = others.map((name) => `${name} = excluded.${name}`);
  const list = (prefix: string) => others.map((name) => `${prefix}.${name}`).join(", ");
  const onlyOther = leavesSame
    ? `where (${list("stored")}) is distinct from (${list("excluded")})`
    : "";
  const { rowCount } = await tx.write(
    `insert into ${quoteIdentifier(table)} as stored (${source.names.join(", ")})
      select ${source.values.join(", ")} from ${source.from}
      on conflict (${keys.join(", ")})
      do ${updates.length === 0 ? "nothing" : `update set ${updates.join(", ")} ${onlyOther}`}`,
    source.parameters,
  );
  return rowCount;
}

/** The last row of each key. */
function lastRowOfEachKey(rows: readonly RowValues[], keyColumns: readonly string[]): RowValues[] {
  const keyOf = (row: RowValues) => JSON.stringify(keyColumns.map((name) => keyText(row[name])));
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

function keyText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
}

/** Table and columns of inserted rows. */
export interface InsertTarget {
  /** Table with its schema, such as `catalog.change_log`. */
  table: string;
  columns: readonly Column[];
}

/**
 * Inserts rows in one statement. They are inserted in the order given, so an identity column numbers
 * them in that order. An existing key is an error of the server.
 *
 * @returns how many rows were inserted.
 */
export async function bulkInsert(
  tx: Transaction,
  { table, columns }: InsertTarget,
  rows: readonly RowValues[],
): Promise<number> {
  if (rows.length === 0) return 0;
  const { names, values, from, parameters } = rowSource(columns, rows);
  // A function scan returns its rows in order, and an insert neither sorts nor runs in parallel.
  const { rowCount } = await tx.write(
    `insert into ${quoteIdentifier(table)} (${names.join(", ")})
      select ${values.join(", ")} from ${from}`,
    parameters,
  );
  return rowCount;
}

/** Deletes rows of `table` that equal a given row in every key column. */
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
  const { names, values, from, parameters } = rowSource(keyColumns, rows);
  const matches = names.map((name, index) => `target.${name} = ${values[index]}`);
  const { rowCount } = await tx.write(
    `delete from ${quoteIdentifier(table)} as target
      using ${from}
      where ${matches.join(" and ")}`,
    parameters,
  );
  return rowCount;
}

/** A column and its SQL type, such as `text`, `int8`, `bytea`, `timestamptz`, `jsonb` or `text[]`. */
export interface Column {
  name: string;
  type: string;
}

/** A row to write, by column name; `undefined` and a missing column are null. */
export type RowValues = Readonly<Record<string, unknown>>;

/** Many rows as a source in SQL; its parameters are the statement's from $1 on. */
function rowSource(columns: readonly Column[], rows: readonly RowValues[]) {
  const names = columns.map(({ name }) => quoteIdentifier(name));
  const arrays = columns.map(
    ({ type }, index) => `$${index + 1}::${type === "bytea" ? "bytea" : "text"}[]`,
  );
  return {
    names,
    values: columns.map(({ type }, index) => `source.${names[index]}::${type}`),
    from: `unnest(${arrays.join(", ")}) as source(${names.join(", ")})`,
    parameters: columns.map((column) => columnParameter(column, rows)),
  };
}

/**
 * One column of many rows as one parameter: an array of bytes for `bytea`, an array of text
 * literals, to be cast, for every other type.
 */
function columnParameter({ name, type }: Column, rows: readonly RowValues[]): Buffer {
  if (type === "bytea") {
    return arrayParameter(
      rows.map((row) => bytesOf(name, row[name])),
      "bytea",
    );
  }
  const encode = encoderOf(type);
  return arrayParameter(
    rows.map((row) => {
      const value = row[name] ?? null;
      return value === null ? null : encode(value);
    }),
    "text",
  );
}

function bytesOf(name: string, value: unknown): Uint8Array | null {
  if (value === undefined || value === null) return null;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`Column ${name} takes bytes.`);
}

function encoderOf(type: string): (value: unknown) => string {
  if (type === "json" || type === "jsonb") return (value) => JSON.stringify(value);
  return type.endsWith("[]") ? arrayText : scalarText;
}

/** Object identifiers of the two element types that columns are sent as. */
const elementOid = { bytea: 17, text: 25 };

/**
 * A column of values as one array parameter, in PostgreSQL's binary format, which the drivers pass
 * on unchanged. Nothing is quoted, and bytes are not doubled by hexadecimal.
 *
 * @param values text or bytes; null stays null.
 * @param element `bytea` or `text`, as the statement declares the parameter.
 */
function arrayParameter(
  values: readonly (string | Uint8Array | null)[],
  element: keyof typeof elementOid,
): Buffer {
  const encoded = values.map((value) =>
    typeof value === "string" ? Buffer.from(value, "utf8") : value,
  );
  const sizeBytes = encoded.reduce((sum, bytes) => sum + 4 + (bytes?.length ?? 0), 20);
  const array = Buffer.allocUnsafe(sizeBytes);
  // array_recv: dimensions, whether there are nulls, element type, then length and lower bound.
  array.writeInt32BE(1, 0);
  array.writeInt32BE(encoded.includes(null) ? 1 : 0, 4);
  array.writeInt32BE(elementOid[element], 8);
  array.writeInt32BE(encoded.length, 12);
  array.writeInt32BE(1, 16);
  let offset = 20;
  for (const bytes of encoded) {
    offset = array.writeInt32BE(bytes?.length ?? -1, offset);
    if (bytes !== null) {
      array.set(bytes, offset);
      offset += bytes.length;
    }
  }
  return array;
}
