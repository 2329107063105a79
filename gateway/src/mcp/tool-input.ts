import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { OperationMeta } from "../operations/operation.ts";
import type { Tool } from "./tools.ts";

/** What an agent gives a tool, unchecked. */
export type ToolInput = Readonly<Record<string, unknown>>;

const continueAt = {
  type: "string",
  description:
    "Where an answer goes on, as the note at the end of its last piece says; with the same arguments otherwise.",
};

const known = new WeakMap<Tool, StandardSchemaWithJSON<ToolInput>>();

/**
 * What agents are told of a tool's input: the members that it takes of the operation's. Everything
 * passes here; the operation checks it, so that it is refused in the same words as REST's.
 *
 * @throws TypeError when the operation has no such member
 */
export function toolInputOf(
  tool: Tool,
  { input }: OperationMeta,
): StandardSchemaWithJSON<ToolInput> {
  const schema = known.get(tool) ?? describeInput(tool, input);
  known.set(tool, schema);
  return schema;
}

function describeInput(
  { name: toolName, members, defaults }: Tool,
  input: z.ZodObject,
): StandardSchemaWithJSON<ToolInput> {
  const { properties = {}, required = [], $defs } = z.toJSONSchema(input, { io: "input" });
  const described = members.map((name) => {
    const member = properties[name];
    if (typeof member !== "object") throw new TypeError(`${toolName} takes no ${name}`);
    const own = defaults?.[name];
    return [name, own === undefined ? member : { ...member, default: own }];
  });
  const json = {
    type: "object",
    properties: { ...Object.fromEntries(described), continueAt },
    required: required.filter((name) => members.includes(name)),
    ...($defs && { $defs }),
  };
  return {
    "~standard": {
      version: 1,
      vendor: "storefront",
      validate: (value) => ({
        value: typeof value === "object" && value !== null ? { ...value } : {},
      }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}
