/** An object of a JSON document. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether the value is an object and no list. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one for anything else. */
export function jsonOf(value: unknown): Json {
  return isJson(value) ? value : {};
}

/** The value as a list; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What a reference inside of the document names, or the value itself where it is none. */
export function resolved(value: unknown, document: Json): unknown {
  const { $ref } = jsonOf(value);
  if (typeof $ref !== "string") return value;
  const parts = $ref.slice(2).split("/");
  return parts.reduce<unknown>(
    (parent, part) => jsonOf(parent)[part.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
}
