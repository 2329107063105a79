import { McpServer } from "@modelcontextprotocol/server";
import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { publicErrorOf } from "../errors/public-error.ts";
import type { Question } from "../cache/question.ts";
import type { OperationMeta } from "../operations/operation.ts";
import { fittingResult } from "./fitting-result.ts";
import { resultMaxLength, resultText, pieceOf } from "./result-text.ts";
import { tools } from "./tools.ts";
import type { Tool } from "./tools.ts";

export interface ToolResult {
  readonly result: object;
  /** Services that were unavailable for it. */
  readonly degraded: ReadonlySet<string>;
}

/** Calls an operation. Fails as the operation does. */
export type CallOperation = (meta: OperationMeta, question: Question) => Promise<ToolResult>;

const instructions = `A storefront's catalogue, to read: offers with prices by country, giveaways, reviews and what changes.
Amounts are whole numbers of the currency's smallest unit. Results longer than ${resultMaxLength} characters come in pieces: the note at the end says how to get the next one.`;

/** A server for one request: its tools call the router's operations by their ids. */
export function createMcpServer(
  version: string,
  operations: ReadonlyMap<string, OperationMeta>,
  call: CallOperation,
): McpServer {
  const server = new McpServer({ name: "storefront", version }, { instructions });
  for (const tool of tools) {
    const meta = operations.get(tool.operationId);
    if (meta === undefined) throw new TypeError(`${tool.name} calls no operation`);
    const { name, title, description } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        ...schemasOf(tool, meta),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      (input) => callTool(tool, meta, input, call),
    );
  }
  return server;
}

async function callTool(
  { name: toolName, members, defaults, omitted = [] }: Tool,
  meta: OperationMeta,
  { continueAt, ...given }: ToolInput,
  call: CallOperation,
): Promise<CallToolResult> {
  try {
    const unknown = Object.keys(given).find((name) => !members.includes(name));
    if (unknown !== undefined) {
      return failed(`${unknown}: ${toolName} takes ${members.join(", ")} and continueAt`);
    }
    const question = meta.ask({ ...defaults, ...given });
    const { result: whole, degraded } = await call(meta, question);
    const result = withoutMembers(whole, omitted);
    const text = resultText(result);
    const piece = pieceOf(text, typeof continueAt === "string" ? continueAt : undefined);
    if (piece === undefined) {
      return failed(
        "continueAt is no position in this result, which may have changed; call again without it.",
      );
    }
    const parts = [piece.text];
    if (degraded.size > 0) parts.push(`Not available at present: ${[...degraded].join(", ")}.`);
    if (piece.next !== undefined) {
      parts.push(
        `${text.length} characters in all; for the next ones call again with continueAt "${piece.next}".`,
      );
    }
    return {
      content: parts.map((part) => ({ type: "text", text: part })),
      structuredContent: fittingResult(result, resultMaxLength),
    };
  } catch (error) {
    return failed(publicErrorOf(error).message);
  }
}

function failed(message: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: message }] };
}

/** The arguments of a tool, unchecked. */
type ToolInput = Readonly<Record<string, unknown>>;

const continueAtSchema = {
  type: "string",
  description:
    "Where a result continues, as the note at the end of its last part says; with the same other arguments.",
};

interface ToolSchemas {
  readonly inputSchema: StandardSchemaWithJSON<ToolInput>;
  readonly outputSchema: StandardSchemaWithJSON<ToolInput>;
}

const known = new WeakMap<Tool, ToolSchemas>();

/**
 * The schemas that describe a tool: members of the operation's input, and its output. They accept everything, because
 * the operation checks its input, with the messages of REST.
 *
 * @throws TypeError when the operation has no such member
 */
function schemasOf(tool: Tool, { input, output }: OperationMeta): ToolSchemas {
  const schemas = known.get(tool) ?? {
    inputSchema: described(inputJsonOf(tool, input)),
    outputSchema: described(outputJsonOf(tool, output)),
  };
  known.set(tool, schemas);
  return schemas;
}

function inputJsonOf({ name: toolName, members, defaults }: Tool, input: z.ZodObject) {
  const { properties = {}, required = [], $defs } = z.toJSONSchema(input, { io: "input" });
  const shown = members.map((name) => {
    const member = properties[name];
    if (typeof member !== "object") throw new TypeError(`${toolName} takes no ${name}`);
    const own = defaults?.[name];
    return [name, own === undefined ? member : { ...member, default: own }];
  });
  return {
    type: "object",
    properties: { ...Object.fromEntries(shown), continueAt: continueAtSchema },
    required: required.filter((name) => members.includes(name)),
    ...($defs && { $defs }),
  };
}

/** The schema of the output; of an object without a reference as its root, as earlier protocols demand. */
function outputJsonOf({ omitted = [] }: Tool, output: z.ZodType) {
  const { $ref, $defs, ...inline } = schemaWithout(z.toJSONSchema(output), omitted);
  const root = $defs?.[$ref?.slice("#/$defs/".length) ?? ""] ?? inline;
  const { type, properties = {}, required = [] } = root;
  if (type !== "object") return { ...root, ...($defs && { $defs }) };
  return { type, properties, required, ...($defs && { $defs }) };
}

/** JSON without the members of these names, at any depth. */
function withoutMembers<Json extends object>(json: Json, names: readonly string[]): Json {
  if (names.length === 0) return json;
  const text = JSON.stringify(json, (name, value: unknown) =>
    names.includes(name) ? undefined : value,
  );
  return JSON.parse(text) as Json;
}

/** The schema of what {@link withoutMembers} leaves. */
function schemaWithout<Schema extends object>(schema: Schema, names: readonly string[]): Schema {
  const text = JSON.stringify(withoutMembers(schema, names), (name, value: unknown) =>
    name === "required" && Array.isArray(value)
      ? value.filter((member) => !names.includes(String(member)))
      : value,
  );
  return JSON.parse(text) as Schema;
}

function described(json: Record<string, unknown>): StandardSchemaWithJSON<ToolInput> {
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
