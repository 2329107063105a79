type Json = Record<string, unknown>;

/** Whether the value is an object and no list. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A JSON schema as people would write it: open objects (members may be added at any time), no
 * bounds that only say "a safe integer", `type: [x, "null"]` for what can be null, `examples`.
 */
export function tidySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tidySchema);
  if (!isObject(schema)) return schema;
  const tidied = Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !isNoise(key, value))
      .map(([key, value]) =>
        key === "example" ? ["examples", [value]] : [key, tidySchema(value)],
      ),
  );
  return withoutNullBranch(tidied);
}

function isNoise(key: string, value: unknown): boolean {
  if (key === "additionalProperties") return value === false;
  return (key === "maximum" || key === "minimum") && !Number.isSafeInteger(Number(value) * 2);
}

function withoutNullBranch(schema: Json): Json {
  const { anyOf, ...others } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [branch, nullBranch]: unknown[] = anyOf;
  const isNullable = isObject(nullBranch) && nullBranch["type"] === "null" && isObject(branch);
  if (!isNullable || typeof branch["type"] !== "string" || "enum" in branch) return schema;
  return { ...branch, ...others, type: [branch["type"], "null"] };
}
