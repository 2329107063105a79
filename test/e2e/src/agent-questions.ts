import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { askEach, request } from "./ask.ts";
import { differences } from "./differences.ts";
import type { Catalogue } from "./model/catalogue.ts";

/** A tool call of an agent, and the REST request that must give the same result. */
export interface AgentQuestion {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** Body of a POST. */
  readonly body?: object;
}

const countries = ["US", "DE", "JP", "BR"];

/** Questions about every offer of a catalogue, its changes and searches. */
export function agentQuestions({ offer }: Catalogue): AgentQuestion[] {
  const ofOffers = [...offer.keys()].flatMap((id, index): AgentQuestion[] => {
    const path = `/offers/${encodeURIComponent(id)}`;
    const country = countries[index % countries.length] ?? "";
    const input = { id, country };
    return [
      { tool: "get_offer", input, path: `${path}/overview?country=${country}` },
      { tool: "get_price", input, path: `${path}/price?country=${country}` },
      { tool: "list_price_history", input, path: `${path}/price-history?country=${country}` },
      { tool: "list_reviews", input: { id, limit: 25 }, path: `${path}/reviews?limit=25` },
    ];
  });
  const ofPages = Array.from({ length: 5 }, (_, index): AgentQuestion[] => {
    const page = index + 1;
    const body = { sortBy: "price", limit: 20, page };
    return [
      {
        tool: "list_changes",
        input: { page, limit: 50 },
        path: `/changelist?page=${page}&limit=50`,
      },
      {
        tool: "search_offers",
        input: { ...body, country: "DE" },
        path: "/search/v2/search?country=DE",
        body: { ...body, aggregations: false },
      },
    ];
  }).flat();
  const now: AgentQuestion = { tool: "list_giveaways", input: {}, path: "/free-games?limit=5" };
  return [...ofOffers, ...ofPages, now];
}

/** Sends each by MCP and by REST, and returns the differences of the responses. */
export async function askAsAgent(
  gatewayUrl: string,
  questions: readonly AgentQuestion[],
): Promise<string[]> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", gatewayUrl)));
  try {
    return await askEach(questions, async (question) => {
      const { status, result } = await request(gatewayUrl + question.path, question.body);
      const { isError, text } = await wholeResult(client, question);
      const name = `${question.tool} ${JSON.stringify(question.input)}`;
      if (isError !== (status !== 200)) return [`${name}: ${text} beside status ${status}`];
      const expected = isError ? Object(result)["message"] : result;
      const found: unknown = isError ? text : JSON.parse(text);
      return differences(withoutMeta(expected), withoutMeta(found)).map(
        (line) => `${name} ${line}`,
      );
    });
  } finally {
    await client.close();
  }
}

/** Fetches all pieces of a result; each piece names the next one. */
async function wholeResult(
  client: Client,
  { tool, input }: AgentQuestion,
): Promise<{ isError: boolean; text: string }> {
  let text = "";
  let continueAt: string | undefined;
  for (;;) {
    const result = await client.callTool({ name: tool, arguments: { ...input, continueAt } });
    const [piece = "", ...notes] = result.content.map((part) =>
      part.type === "text" ? part.text : "",
    );
    const length = piece.length + notes.join("").length;
    if (length > 15_000) throw new Error(`${tool} returned ${length} characters at once`);
    // On a busy machine a part may miss its budget.
    if (notes.some((note) => note.startsWith("Not available"))) {
      text = "";
      continueAt = undefined;
      continue;
    }
    text += piece;
    continueAt = /continueAt "([^"]+)"/.exec(notes.join(""))?.[1];
    if (continueAt === undefined) return { isError: result.isError === true, text };
  }
}

/** Drops `meta`: the duration of a search and whether it was cached differ between responses. */
function withoutMeta(result: unknown): unknown {
  if (typeof result !== "object" || result === null || !("meta" in result)) return result;
  const { meta: _, ...rest } = result;
  return rest;
}
