import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { DirtyValues } from "../documents/coerce-value.ts";
import { isDynamic } from "./field.ts";
import type { Field } from "./field.ts";
import type { Schema } from "./schema.ts";

/**
 * The fields that a document brings into being by the patterns of a schema. A name of its own type
 * `auto` wins over a pattern, a pattern over the fallback `.*`.
 *
 * @throws TypesenseError 400 for a value of a type that cannot be indexed, where values may not be
 *   dropped.
 */
export function inferFields(schema: Schema, document: JsonObject, dirty: DirtyValues): Field[] {
  const known = new Set(schema.fields.filter((field) => !isDynamic(field)).map((f) => f.name));
  const patterns = schema.fields.filter(isDynamic);
  const found: Field[] = [];
  for (const [name, value] of Object.entries(document)) {
    if (name === "id" || known.has(name) || value === null) continue;
    const pattern = findPattern(patterns, name);
    if (pattern === undefined || !pattern.index) continue;
    const type = inferType(pattern.type, value);
    if (type === undefined) {
      if (isEmptyList(value)) continue;
      if (dirty === "reject" || dirty === "coerce_or_reject") {
        throw new TypesenseError(`Type of field \`${name}\` is invalid.`);
      }
      delete document[name];
      continue;
    }
    const sort = pattern.sort || ["int32", "int64", "float", "bool"].includes(type);
    found.push({ ...pattern, name, type, sort, optional: true });
  }
  return found;
}

function findPattern(patterns: readonly Field[], name: string): Field | undefined {
  return (
    patterns.find((pattern) => pattern.name === name) ??
    patterns.find(
      (pattern) =>
        pattern.name !== ".*" &&
        pattern.name.includes(".*") &&
        new RegExp(`^(?:${pattern.name})$`, "u").test(name),
    ) ??
    patterns.find((pattern) => pattern.name === ".*")
  );
}

function inferType(declared: string, value: unknown): string | undefined {
  if (declared === "string*") return Array.isArray(value) ? "string[]" : "string";
  if (declared !== "auto") return declared;
  if (!Array.isArray(value)) return scalarType(value);
  const type = scalarType(value[0]);
  return type === undefined ? undefined : `${type}[]`;
}

function scalarType(value: unknown): string | undefined {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number") return Number.isInteger(value) ? "int64" : "float";
  return undefined;
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
