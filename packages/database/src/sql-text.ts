/** A table, column or schema name as SQL: `catalog.offer` becomes `"catalog"."offer"`. */
export function quoteIdentifier(name: string): string {
  return name
    .split(".")
    .map((part) => `"${part.replaceAll('"', '""')}"`)
    .join(".");
}

/**
 * A statement's parameter as it is sent: bytes unchanged, the rest as text. Encoded before the driver gets it,
 * since a driver that fails to encode one has already sent a part of the statement.
 *
 * @throws TypeError for values without an SQL form, such as a function or a circular object.
 */
export function parameterText(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === "object" && !(value instanceof Date)) return JSON.stringify(value);
  return scalarText(value);
}

/**
 * PostgreSQL's text form of a value.
 *
 * @throws TypeError for anything but a string, number, bigint, boolean or Date.
 */
export function scalarText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") {
    return String(value);
  }
  throw new TypeError("A value must be a string, number, bigint, boolean or Date.");
}

/**
 * PostgreSQL's text form of a one-dimensional array. Every element is quoted, so that only `"` and
 * `\` matter.
 *
 * @throws TypeError for anything but an array of null, undefined, bytes and values that {@link scalarText} accepts.
 */
export function arrayText(value: unknown): string {
  if (!Array.isArray(value)) throw new TypeError("An array column takes an array.");
  return `{${value.map(elementText).join(",")}}`;
}

function elementText(element: unknown): string {
  if (element === null || element === undefined) return "NULL";
  const text =
    element instanceof Uint8Array
      ? String.raw`\x${Buffer.from(element).toString("hex")}`
      : scalarText(element);
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Orders texts by code point, as the database does under `collate "C"`; JavaScript's own order is by UTF-16 unit. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Surrogates stand for code points above all of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
