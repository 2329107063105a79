import { z } from "zod";
import { queryValues } from "../http/target.ts";
import type { EndpointRequest } from "./endpoint.ts";

export type ReadInput = (
  request: Pick<EndpointRequest, "pathValues" | "query">,
) => Record<string, unknown>;

/**
 * Creates the reader of an operation's parameters. Values that are not of their member's JSON type stay text, which
 * the schema then refuses.
 *
 * @param path with parameters in braces
 * @param queryNames default: all members but those of the path
 */
export function createInputReader(
  input: z.ZodObject,
  path: string,
  queryNames?: readonly string[],
): ReadInput {
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].flatMap((match) => match[1] ?? []);
  const { properties = {} } = z.toJSONSchema(input, { io: "input" });
  const names = queryNames ?? Object.keys(input.shape).filter((name) => !pathNames.includes(name));
  const known = new Map(names.map((name) => [name, isOfType("array", properties[name])]));
  return ({ pathValues, query }) => {
    const values: Record<string, unknown> = {};
    for (const [name, texts] of queryValues(query, known)) {
      values[name] = known.get(name) === true ? texts : valueOf(texts[0] ?? "", properties[name]);
    }
    for (const [index, name] of pathNames.entries()) values[name] = pathValues[index];
    return values;
  };
}

function valueOf(text: string, schema: unknown): unknown {
  if (isOfType("boolean", schema)) return text === "true" || (text === "false" ? false : text);
  if (isOfType("number", schema)) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  // Larger integers become the largest safe one: as a limit it is lowered, as a page it is out of range.
  return isOfType("integer", schema) && /^-?\d+$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : text;
}

/** Whether a JSON schema is of this type. */
function isOfType(type: "array" | "boolean" | "integer" | "number", schema: unknown): boolean {
  return typeof schema === "object" && schema !== null && Object(schema)["type"] === type;
}
