import type { StoredDocument } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";

/** Whether a document passes. */
export type DocumentFilter = (stored: StoredDocument) => boolean;

/** The values that a document holds in a field: none, one, or the elements of its list. */
export function fieldValues(stored: StoredDocument, field: Field): unknown[] {
  const value = stored.values[field.name] ?? [];
  return Array.isArray(value) ? value : [value];
}

/** The numbers that a document holds in a field; floats are brought to 32 bits, as the index is. */
export function fieldNumbers(stored: StoredDocument, field: Field): number[] {
  const numbers = fieldValues(stored, field).filter((value) => typeof value === "number");
  return field.type.startsWith("float") ? numbers.map(Math.fround) : numbers;
}
