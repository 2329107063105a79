/** A JSON object whose members are not known. */
export type JsonObject = Record<string, unknown>;

/** Whether a parsed value is an object: neither null nor a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
