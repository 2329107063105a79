import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, onTestFinished, test, vi } from "vitest";
import { resultMaxLength } from "../src/mcp/result-text.ts";
import { post } from "./support/http-client.ts";
import { useStack } from "./support/start-stack.ts";

const trusted = "https://agents.example";
const stack = useStack({ corsOrigins: [trusted] });

async function connect(mode: "legacy" | "auto" = "auto"): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", stack().url)));
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool; its texts, and whether it failed. */
async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  const { content, structuredContent, isError = false } = result;
  const texts = content.map((part) => (part.type === "text" ? part.text : part.type));
  expect(texts.join("").length).toBeLessThanOrEqual(resultMaxLength);
  expect(JSON.stringify(structuredContent ?? {}).length).toBeLessThanOrEqual(resultMaxLength);
  return { texts, structuredContent, isError };
}

/** A request of the protocol, written by hand: a call of a tool, or a request for the list of tools. */
function asked(headers: Record<string, string>, name?: string, input?: object) {
  const method = name === undefined ? "tools/list" : "tools/call";
  const message = post({ jsonrpc: "2.0", id: 1, method, params: { name, arguments: input } });
  const accept = "application/json, text/event-stream";
  return { ...message, headers: { ...message.headers, accept, ...headers } };
}

test.each(["legacy", "auto"] as const)(
  "an agent (%s) finds a few tools that only read",
  async (mode) => {
    const { tools } = await (await connect(mode)).listTools();
    expect(tools.length).toBeGreaterThan(4);
    expect(tools.length).toBeLessThanOrEqual(8);
    const ajv = new Ajv2020({ strict: false, logger: false });
    for (const { inputSchema, annotations, description } of tools) {
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(annotations?.readOnlyHint).toBe(true);
      expect(description).toMatch(/\.$/);
    }
  },
);

test.each(["legacy", "auto"] as const)(
  "an agent (%s) gets the same result as by REST",
  async (mode) => {
    const client = await connect(mode);
    const input = { id: "full", country: "de" };
    const { texts, structuredContent, isError } = await call(client, "get_price", input);
    expect(isError).toBe(false);
    const { json } = await stack().ask("/offers/full/price?country=DE");
    expect(texts.map((text): unknown => JSON.parse(text))).toEqual([json]);
    expect(structuredContent).toEqual(json);
  },
);

test("each tool has an output schema, which its structured content matches", async () => {
  const client = await connect();
  const { tools } = await client.listTools();
  const ajv = new Ajv2020({ strict: false, logger: false });
  const inputs = {
    search_offers: { limit: 50, lows: true },
    find_offers_by_meaning: { query: "full" },
    get_offer: { id: "full" },
    get_price: { id: "full" },
    list_price_history: { id: "full" },
    list_giveaways: {},
    list_changes: {},
    list_reviews: { id: "full" },
  };
  expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(inputs).toSorted());
  for (const { name, outputSchema } of tools) {
    const { structuredContent, texts } = await call(client, name, Object(inputs)[name]);
    // Short results are whole.
    expect(structuredContent).toEqual(JSON.parse(texts[0] ?? ""));
    const validate = ajv.compile(Object(outputSchema));
    expect([name, validate(structuredContent), validate.errors]).toEqual([name, true, null]);
  }
});

test("a search names filter values that no offer has, and continues after a cursor", async () => {
  const client = await connect();
  const search = (input: object) => call(client, "search_offers", { ...input });
  const first = Object(JSON.parse((await search({ tags: ["Tga"] })).texts[0] ?? ""));
  const unknown = [{ filter: "tags", value: "Tga", nearest: [{ id: "t1", name: "Tag" }] }];
  expect(first.meta).toEqual({ unknown });
  const rest = await search({ tags: ["Tga"], cursor: first.next });
  expect(JSON.parse(rest.texts[0] ?? "")).toMatchObject({ next: null });
});

test("errors have the messages of REST", async () => {
  const client = await connect();
  const misnamed = await call(client, "get_price", { id: "full", region: "US" });
  expect(misnamed.isError).toBe(true);
  expect(misnamed.texts[0]).toMatch(/^region: get_price takes id, .*country/);
  for (const [name, input, path] of [
    ["get_price", { id: "full", country: "Germany" }, "/offers/full/price?country=Germany"],
    ["get_offer", { id: "nope" }, "/offers/nope/overview"],
    ["list_changes", { limit: "many" }, "/changelist?limit=many"],
  ] as const) {
    const { texts, isError } = await call(client, name, input);
    expect(isError).toBe(true);
    const { json } = await stack().ask(path);
    expect(json).toMatchObject({ message: texts[0] });
  }
});

test("a response that lacks a part says so", async () => {
  stack().services.interfere.set("batchGetPrices", () => Promise.reject(new Error("broken")));
  const { texts } = await call(await connect(), "search_offers", {});
  expect(texts.at(-1)).toBe("Not available at present: pricing.");
});

test("a failure reveals no internals, and is logged with its cause", async () => {
  stack().services.interfere.set("batchGetPrices", () => Promise.reject(new Error("secret")));
  const { text, headers } = await stack().ask("/mcp", asked({}, "get_price", { id: "full" }));
  expect(text).toContain("The pricing service failed to respond.");
  expect(text).not.toContain("secret");
  const requestId = headers["x-request-id"];
  await vi.waitFor(() => {
    expect(stack().linesOf(requestId)).toMatchObject([
      { level: "warn", cause: expect.any(String) },
    ]);
  });
});

test("pages of other origins are refused, whatever the Host", async () => {
  for (const headers of [
    { origin: "https://evil.example" },
    { origin: "null" },
    // A name that resolves to this host.
    { origin: "http://evil.example", host: "evil.example" },
    { origin: "http://localhost:6274", host: "catalogue.example" },
  ]) {
    const { status, json } = await stack().ask("/mcp", asked(headers));
    expect(status).toBe(403);
    expect(json).toMatchObject({ error: "FORBIDDEN" });
  }
  for (const headers of [{}, { origin: trusted }, { origin: "http://localhost:6274" }]) {
    expect((await stack().ask("/mcp", asked(headers))).status).toBe(200);
  }
});

test("only single messages are accepted", async () => {
  expect((await stack().ask("/mcp", post([{}, {}]))).status).toBe(400);
  expect((await stack().ask("/mcp/more", post({}))).status).toBe(404);
});
