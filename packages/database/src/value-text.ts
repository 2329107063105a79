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
 * @throws TypeError for anything but an array of null, undefined, bytes and what {@link scalarText} takes.
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
