import type { JsonValue } from "@bufbuild/protobuf";

/** The word that a change has for the type of its value; null is no value of a change. */
export type JsonType = "string" | "number" | "boolean" | "object" | "array" | "null";

/** JSON type of a value. */
export function jsonTypeOf(value: JsonValue): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" ? type : "object";
}

/**
 * Whether nothing is known: absent, null, an empty list, or an object that is empty or has only
 * unknown members. An empty string is known.
 */
export function isUnknown(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "object") return false;
  return Array.isArray(value) ? value.length === 0 : Object.values(value).every(isUnknown);
}

/**
 * Whether two values are the same state: unknown members count as absent at every depth, order
 * matters in lists and not in objects.
 */
export function sameValue(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if (left === right) return true;
  if (!isObjectOrList(left) || !isObjectOrList(right)) return isUnknown(left) && isUnknown(right);
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right)) return isUnknown(left) && isUnknown(right);
    return (
      left.length === right.length && left.every((value, index) => sameValue(value, right[index]))
    );
  }
  for (const name of Object.keys(left)) {
    if (!sameValue(left[name], own(right, name))) return false;
  }
  return Object.keys(right).every((name) => Object.hasOwn(left, name) || isUnknown(right[name]));
}

function isObjectOrList(
  value: JsonValue | undefined,
): value is JsonValue[] | { [name: string]: JsonValue } {
  return typeof value === "object" && value !== null;
}

function own(object: { [name: string]: JsonValue }, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
