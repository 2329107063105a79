import type { JsonObject } from "../json.ts";

/**
 * The document as `include_fields` and `exclude_fields` leave it. Excluding wins; with fields to
 * include, `id` goes too unless it is one of them. `*` stands for any end of a name.
 */
export function pruneDocument(
  document: JsonObject,
  include: readonly string[],
  exclude: readonly string[],
): JsonObject {
  const names = Object.keys(document).filter(
    (name) =>
      (include.length === 0 || include.some((pattern) => fits(name, pattern))) &&
      !exclude.some((pattern) => fits(name, pattern)),
  );
  return Object.fromEntries(names.map((name) => [name, document[name]]));
}

function fits(name: string, pattern: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
