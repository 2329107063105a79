import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { beforeAll, expect, test, vi } from "vitest";
import openApiDocument from "../openapi.json" with { type: "json" };
import { documentedOperations } from "../src/openapi/build-document.ts";
import { documentedResponse, documentedStatuses } from "./support/check-document.ts";
import { hold } from "./support/held-calls.ts";
import { postText } from "./support/http-client.ts";
import { deprecatedHeaders, savedQueryId } from "./support/search.ts";
import { useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";
import { adminToken, deliveryId, oneTooMany, webhookId } from "./support/webhooks.ts";

const open = useStack({ streamsPerAddressMax: 1000 });
const limited = useStack({ protection: { rateLimits: { limitPerMinute: 0, apiKeys: [] } } });
const unadministered = useStack({ adminTokens: undefined });
const busy = useStack({ workInFlightMax: 1, streamsMax: 0 });

/** Headers of HTTP, browser security and CORS, which any response may have. */
const ofTheProtocol =
  /^(connection|content-.*|cross-origin-.*|date|keep-alive|referrer-policy|strict-transport-security|transfer-encoding|x-accel-buffering|x-content-type-options|access-control-.*)$/;

interface Asked {
  query?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Ids of records, by the first segment of the path. */
  ids?: Partial<Record<string, string>>;
}

const known = {
  sandboxes: "room",
  items: "item",
  offers: "full",
  changelist: "e2",
  search: savedQueryId,
  queries: savedQueryId,
  webhooks: webhookId,
};
const beginning = "after=0-.0-.0-.0-";

/** Requests for every outcome of an operation; one that does not apply to it ends as the first. */
const requests: [why: string, stack: () => TestStack, asked: Asked][] = [
  ["a request as documented", open, {}],
  ["all changes", open, { query: beginning }],
  ["an expectation that is not met", open, { headers: { expect: "nothing" } }],
  ["unknown records", open, { ids: {}, query: "country=QQ&after=1-another.0-.0-.0-" }],
  ["an unknown country", open, { query: "country=QQ" }],
  ["an unchanged response", open, { headers: { "if-none-match": "*" } }],
  ["a part", open, { headers: { range: "bytes=0-0" } }],
  ["a part beyond the end", open, { headers: { range: "bytes=99999999-" } }],
  ["a part of another file", open, { headers: { "if-match": '"another"' } }],
  ["a long body", open, { body: " ".repeat(256 * 1024 + 1) }],
  ["a body of text", open, { headers: { "content-type": "text/plain" } }],
  ["no administrators", unadministered, {}],
  ["no token", open, { headers: { authorization: "" } }],
  ["a webhook too many", open, { body: JSON.stringify({ url: oneTooMany, events: ["price"] }) }],
  ["one request too many", limited, {}],
  ["work beyond the limit", busy, {}],
];

type Operation = ReturnType<typeof documentedOperations>[number];

/** Reads no more than the headers: streams have no end. */
async function ask(
  { openapi: { method, path } }: Operation,
  stack: TestStack,
  { query = "", headers, body = exampleBody(path), ids = known }: Asked,
): Promise<IncomingMessage> {
  const [, group = ""] = path.split("/");
  const target = path
    .replace("{deliveryId}", deliveryId)
    .replace(/\{\w+\}/, ids[group] ?? "unknown");
  const token = group === "webhooks" ? { authorization: `Bearer ${adminToken}` } : {};
  const length = String(Buffer.byteLength(body));
  const options = {
    method,
    agent: false,
    headers: { ...postText("").headers, "content-length": length, ...token, ...headers },
  };
  return await new Promise((resolve, reject) => {
    const sent = request(`${stack.url}${target}?query=x&${query}`, options, (response) => {
      resolve(response);
      response.destroy();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function exampleBody(path: string): string {
  const methods = Object(
    new Map<string, object>(Object.entries(openApiDocument.paths)).get(path),
  ) as {
    post?: { requestBody?: { content: { "application/json": { example: unknown } } } };
  };
  return JSON.stringify(methods.post?.requestBody?.content["application/json"].example ?? {});
}

/** Fills a stack with the only work that it admits, and makes its services unhealthy. */
async function fill(stack: TestStack): Promise<{ empty: () => Promise<unknown> }> {
  const { begun, release } = hold(stack, "getItem");
  const working = stack.ask("/items/item");
  await vi.waitUntil(() => begun().length === 1);
  stack.services.interfere.set("checkHealth", () => Promise.reject(new Error("down")));
  const empty = () => {
    release();
    return working;
  };
  return { empty };
}

beforeAll(async () => {
  await vi.waitUntil(async () => (await open().ask("/snapshot")).status === 200);
});

test.for(documentedOperations().map((operation) => ({ ...operation, ...operation.openapi })))(
  "$operationId has exactly the responses that the document lists",
  async (operation) => {
    const { method, path, operationId } = operation;
    const { reviews } = open().services.feeds;
    const { empty } = await fill(busy());
    const responses = await Promise.all(
      requests.map(([, stack, asked]) => ask(operation, stack(), asked)),
    );
    reviews.prunedUpTo = 2n;
    responses.push(await ask(operation, open(), { query: beginning }));
    reviews.prunedUpTo = 0n;
    await empty();

    const seen = new Set<number>();
    for (const { statusCode = 0, headers } of responses) {
      seen.add(statusCode);
      const documented = documentedResponse(path, method, statusCode).headers;
      const own = Object.keys(headers).filter((name) => !ofTheProtocol.test(name));
      expect(documented).toEqual(expect.arrayContaining(own));
      const isPassing = statusCode === 429 || statusCode === 503;
      expect("retry-after" in headers).toBe(isPassing);
    }
    expect([...seen].toSorted((a, b) => a - b)).toEqual(documentedStatuses(path, method));
    const lines = () => open().linesOf(responses[0]?.headers["x-request-id"]);
    await expect.poll(lines).toEqual([expect.objectContaining({ operation: operationId })]);
  },
);

test("responses of a deprecated operation say since when, failures included", async () => {
  const received = [
    await open().ask("/search", postText("{}")),
    await open().ask("/search", postText("{")),
  ];
  expect(received.map(({ status }) => status)).toEqual([200, 400]);
  for (const { headers } of received) {
    expect(headers).toMatchObject({ ...deprecatedHeaders, deprecation: "@1795219200" });
    expect(headers["access-control-expose-headers"]).toContain("Deprecation");
  }
  const { responses } = openApiDocument.paths["/search"].post;
  for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty("Deprecation");
  const successor = await open().ask("/search/v2/search", postText("{}"));
  expect(successor.headers).not.toHaveProperty("deprecation");
});
