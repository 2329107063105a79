import { McpServer } from "@modelcontextprotocol/server";
import type { CallToolResult, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";
import { publicErrorOf } from "../errors/public-error.ts";
import type { AskedOperation, OperationMeta } from "../operations/operation.ts";
import { answerMaxLength, answerText, pieceOf } from "./answer-text.ts";
import { tools } from "./tools.ts";
import type { Tool } from "./tools.ts";

/** An answer to an agent. */
export interface ToolAnswer {
  readonly answer: unknown;
  /** Services that the answer had to do without. */
  readonly degraded: ReadonlySet<string>;
}

/** Asks an operation. Fails as the operation does. */
export type AskOperation = (meta: OperationMeta, asked: AskedOperation) => Promise<ToolAnswer>;

const instructions = `A storefront's catalogue, to read: offers with prices by country, giveaways, reviews and what changes.
Amounts are whole numbers of the currency's smallest unit. Answers longer than ${answerMaxLength} characters come in pieces: the note at the end says how to get the next one.`;

/** A server for one request: its tools ask the operations of the router by their ids. */
export function createMcpServer(
  version: string,
  operations: ReadonlyMap<string, OperationMeta>,
  ask: AskOperation,
): McpServer {
  const server = new McpServer({ name: "storefront", version }, { instructions });
  for (const tool of tools) {
    const meta = operations.get(tool.operationId);
    if (meta === undefined) throw new TypeError(`${tool.name} asks no operation`);
    const { name, title, description } = tool;
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: toolInputOf(tool, meta),
        annotations: { readOnlyHint: true, openWorldHint: false },
      },
      (input) => callTool(tool, meta, input, ask),
    );
  }
  return server;
}

async function callTool(
  { members, defaults, omitted }: Tool,
  meta: OperationMeta,
  { continueAt: place, ...given }: ToolInput,
  ask: AskOperation,
): Promise<CallToolResult> {
  try {
    const known = Object.entries(given).filter(([name]) => members.includes(name));
    const { answer, degraded } = await ask(
      meta,
      meta.ask({ ...defaults, ...Object.fromEntries(known) }),
    );
    const text = answerText(answer, omitted);
    const piece = pieceOf(text, typeof place === "string" ? place : undefined);
    if (piece === undefined) {
      return failed(
        "continueAt is no place of this answer, which may have changed: ask again without it.",
      );
    }
    const notes = [
      ...(degraded.size === 0 ? [] : [`Not available at present: ${[...degraded].join(", ")}.`]),
      ...(piece.next === undefined
        ? []
        : [
            `${text.length} characters in all; for the next ones call again with continueAt "${piece.next}".`,
          ]),
    ];
    return { content: [piece.text, ...notes].map((part) => ({ type: "text", text: part })) };
  } catch (error) {
    return failed(publicErrorOf(error).message);
  }
}

function failed(message: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text: message }] };
}

/** What an agent gives a tool, unchecked. */
type ToolInput = Readonly<Record<string, unknown>>;

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
function toolInputOf(tool: Tool, { input }: OperationMeta): StandardSchemaWithJSON<ToolInput> {
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
