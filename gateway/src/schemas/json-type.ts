/** Whether a JSON schema is of this type. */
export function isOfType(
  type: "array" | "boolean" | "integer" | "number",
  schema: unknown,
): boolean {
  return typeof schema === "object" && schema !== null && Object(schema)["type"] === type;
}
