import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { askEach, request } from "./ask.ts";
import { differences } from "./differences.ts";
import type { Catalogue } from "./model/catalogue.ts";

/** What an agent asks, and who asks the same by REST. */
export interface AgentQuestion {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** Of a POST. */
  readonly body?: object;
}

const countries = ["US", "DE", "JP", "BR"];

/** Questions about every offer of a catalogue, about its changes and of searches. */
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

/** Asks each by MCP and by REST, and gives where the responses differ. */
export async function askAsAgent(
  gatewayUrl: string,
  questions: readonly AgentQuestion[],
): Promise<string[]> {
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", gatewayUrl)));
  try {
    return await askEach(questions, async (question) => {
      const { status, answer } = await request(gatewayUrl + question.path, question.body);
      const { isError, text } = await wholeAnswer(client, question);
      const name = `${question.tool} ${JSON.stringify(question.input)}`;
      if (isError !== (status !== 200)) return [`${name}: ${text} beside status ${status}`];
      const expected = isError ? Object(answer)["message"] : answer;
      const found: unknown = isError ? text : JSON.parse(text);
      return differences(withoutMeta(expected), withoutMeta(found)).map(
        (line) => `${name} ${line}`,
      );
    });
  } finally {
    await client.close();
  }
}

/** All pieces of a response, each asked for as the one before says. */
async function wholeAnswer(
  client: Client,
  { tool, input }: AgentQuestion,
): Promise<{ isError: boolean; text: string }> {
  let text = "";
  let continueAt: string | undefined;
  for (;;) {
    const answer = await client.callTool({ name: tool, arguments: { ...input, continueAt } });
    const [piece = "", ...notes] = answer.content.map((part) =>
      part.type === "text" ? part.text : "",
    );
    const length = piece.length + notes.join("").length;
    if (length > 15_000) throw new Error(`${tool} answers ${length} characters at once`);
    // A busy machine may miss the budget of a part.
    if (notes.some((note) => note.startsWith("Not available"))) {
      text = "";
      continueAt = undefined;
      continue;
    }
    text += piece;
    continueAt = /continueAt "([^"]+)"/.exec(notes.join(""))?.[1];
    if (continueAt === undefined) return { isError: answer.isError === true, text };
  }
}

/** How long a search took, and whether it was kept, is each response's own. */
function withoutMeta(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("meta" in answer)) return answer;
  const { meta: _, ...rest } = answer;
  return rest;
}
