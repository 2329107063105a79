import { arrayText, quoteIdentifier, scalarText } from "./sql-text.ts";

/** A column and its SQL type, such as `text`, `int8`, `bytea`, `timestamptz`, `jsonb` or `text[]`. */
export interface Column {
  name: string;
  type: string;
}

/** A row to write, by column name; `undefined` and a missing column are null. */
export type RowValues = Readonly<Record<string, unknown>>;

/** Many rows as a source in SQL; its parameters are the statement's from $1 on. */
export function rowSource(columns: readonly Column[], rows: readonly RowValues[]) {
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
 * on as it is. There is nothing to quote, and bytes are not doubled by hexadecimal.
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
