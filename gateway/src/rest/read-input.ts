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
  const known = new Set(
    queryNames ?? Object.keys(input.shape).filter((name) => !pathNames.includes(name)),
  );
  return ({ pathValues, query }) => {
    const values: Record<string, unknown> = {};
    for (const [name, text] of queryValues(query, known)) {
      values[name] = valueOf(text, properties[name]);
    }
    for (const [index, name] of pathNames.entries()) values[name] = pathValues[index];
    return values;
  };
}

function valueOf(text: string, schema: unknown): unknown {
  const type =
    typeof schema === "object" && schema !== null && "type" in schema ? schema.type : undefined;
  if (type === "boolean") return text === "true" || (text === "false" ? false : text);
  // The largest safe integer stands for those beyond: as a limit it is lowered, as a page it is out of range.
  return type === "integer" && /^\d+$/.test(text)
    ? Math.min(Number(text), Number.MAX_SAFE_INTEGER)
    : text;
}
