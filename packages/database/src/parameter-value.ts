import { arrayText, scalarText } from "./value-text.ts";

/**
 * A statement's parameter as it is sent: bytes as they are, the rest as text. Done before a driver
 * sees it, since a driver that fails to encode one has half a statement sent already.
 *
 * @throws TypeError for what has no SQL form, such as a function or a circular object.
 */
export function parameterValue(value: unknown): string | Uint8Array | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return arrayText(value);
  if (typeof value === "object" && !(value instanceof Date)) return JSON.stringify(value);
  return scalarText(value);
}
