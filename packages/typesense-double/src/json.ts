/** A JSON object whose members are not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a parsed value is an object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object a text stands for; undefined when it is not JSON, or JSON of another kind. */
export function parseJsonObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
