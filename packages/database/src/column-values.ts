import { arrayParameter } from "./array-parameter.ts";
import { arrayText, scalarText } from "./value-text.ts";

/** A column and its SQL type, such as `text`, `int8`, `bytea`, `timestamptz`, `jsonb` or `text[]`. */
export interface Column {
  name: string;
  type: string;
}

/** A row to write, by column name; `undefined` and a missing column are null. */
export type RowValues = Readonly<Record<string, unknown>>;

/**
 * One column of many rows as one parameter: an array of bytes for `bytea`, an array of text
 * literals, to be cast, for every other type.
 */
export function columnParameter({ name, type }: Column, rows: readonly RowValues[]): Buffer {
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

/** The source of rows in SQL: `unnest($1::text[], …) as source("id", …)`, parameters from $1 on. */
export function unnestColumns(columns: readonly Column[], names: readonly string[]): string {
  const arrays = columns.map(
    ({ type }, index) => `$${index + 1}::${type === "bytea" ? "bytea" : "text"}[]`,
  );
  return `unnest(${arrays.join(", ")}) as source(${names.join(", ")})`;
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
