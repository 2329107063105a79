import { TypesenseError } from "../typesense-error.ts";
import { elementType, isArray } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";

/** The names of `dirty_values`: what becomes of a value of another type than the schema's. */
export const dirtyValues = ["reject", "coerce_or_reject", "coerce_or_drop", "drop"] as const;

export type DirtyValues = (typeof dirtyValues)[number];

const int32Max = 2_147_483_647;

/**
 * A value as the field stores it; undefined when it is to be dropped from the document.
 *
 * @throws TypesenseError 400 when it does not fit and may be neither changed nor dropped.
 */
export function coerceValue(field: Field, value: unknown, dirty: DirtyValues): unknown {
  if (!isArray(field)) return coerceScalar(field, value, dirty);
  if (field.num_dim !== undefined && (!Array.isArray(value) || value.length !== field.num_dim)) {
    throw new TypesenseError(`Field \`${field.name}\` must have ${field.num_dim} dimensions.`);
  }
  if (!Array.isArray(value)) return dropped(field, dirty, "an array");
  const kept: unknown[] = [];
  for (const element of value) {
    const fitting = fit(elementType(field), element, dirty);
    if (fitting !== undefined) kept.push(fitting);
    else if (!mayDrop(dirty)) throw mismatch(field, `an array of ${elementType(field)}`);
  }
  return kept;
}

function coerceScalar(field: Field, value: unknown, dirty: DirtyValues): unknown {
  if (field.type === "int32" && typeof value === "number" && Math.abs(value) > int32Max) {
    throw new TypesenseError(`Field \`${field.name}\` exceeds maximum value of int32.`);
  }
  return fit(field.type, value, dirty) ?? dropped(field, dirty, withArticle(field.type));
}

function dropped(field: Field, dirty: DirtyValues, expected: string): undefined {
  if (field.optional && mayDrop(dirty)) return undefined;
  throw mismatch(field, expected);
}

function fit(type: string, value: unknown, dirty: DirtyValues): unknown {
  if (hasType(type, value)) return value;
  return dirty === "coerce_or_reject" || dirty === "coerce_or_drop"
    ? convert(type, value)
    : undefined;
}

function hasType(type: string, value: unknown): boolean {
  if (type === "string") return typeof value === "string";
  if (type === "bool") return typeof value === "boolean";
  if (type === "float") return typeof value === "number";
  if (typeof value !== "number" || !Number.isInteger(value)) return false;
  return type === "int64" || Math.abs(value) <= int32Max;
}

function convert(type: string, value: unknown): unknown {
  if (type === "string") {
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  }
  if (type === "bool") {
    if (value === 1 || value === "1" || value === "true") return true;
    return value === 0 || value === "0" || value === "false" ? false : undefined;
  }
  let converted: number;
  if (typeof value === "boolean") converted = Number(value);
  else if (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/u.test(value))
    converted = Number(value);
  else if (typeof value === "number") converted = value;
  else return undefined;
  if (type === "float") return converted;
  if (typeof value === "string" && !Number.isInteger(converted)) return undefined;
  return Math.trunc(converted);
}

function mayDrop(dirty: DirtyValues): boolean {
  return dirty === "drop" || dirty === "coerce_or_drop";
}

/** The type in the server's error texts: `a string`, `an int32`. */
export function withArticle(type: string): string {
  return type.startsWith("int") ? `an ${type}` : `a ${type}`;
}

function mismatch(field: Field, expected: string): TypesenseError {
  return new TypesenseError(`Field \`${field.name}\` must be ${expected}.`);
}
