import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import undici from "undici";
import { expect, test } from "vitest";
import { createCatalogClient } from "../src/index.ts";
import { closeServers, failureOf, serve } from "./support/serve.ts";

/** A server that responds to each call with its input, and the requests that it got. */
async function serveEcho(): Promise<{ url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const url = await serve(async (request, response) => {
    requests.push(request);
    const address = new URL(request.url ?? "", "http://localhost");
    const body = await text(request);
    const input: unknown = JSON.parse(body || (address.searchParams.get("input") ?? "null"));
    const resultOf = (data: unknown) => ({ result: { data } });
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify(
        address.searchParams.has("batch")
          ? Object.values(input ?? {}).map(resultOf)
          : resultOf(input),
      ),
    );
  });
  return { url, requests };
}

test("calls of one tick are one GET without headers that would need a preflight", async () => {
  const { url, requests } = await serveEcho();
  const client = createCatalogClient({ url: `${url}/` });
  await Promise.all([
    client.catalog.getOffer.query({ id: "a" }),
    client.catalog.getItem.query({ id: "b" }),
  ]);
  expect(requests).toHaveLength(1);
  expect(requests[0]?.method).toBe("GET");
  expect(requests[0]?.url).toMatch(/^\/trpc\/catalog\.getOffer,catalog\.getItem\?/);
  expect(requests[0]?.headers).not.toHaveProperty("content-type");
});

test("many calls are split into requests with URLs under 4,000 characters", async () => {
  const { url, requests } = await serveEcho();
  const client = createCatalogClient({ url });
  const ids = Array.from({ length: 250 }, (_none, index) => `offer-number-${index}`);
  const results = await Promise.all(ids.map((id) => client.catalog.getOffer.query({ id })));
  expect(results).toEqual(ids.map((id) => ({ id })));
  expect(requests.length).toBeGreaterThan(2);
  for (const request of requests) expect(request.url?.length).toBeLessThan(4000);
});

test("calls without batches are separate GETs", async () => {
  const { url, requests } = await serveEcho();
  const client = createCatalogClient({ url, batch: false });
  const results = await Promise.all(["a", "b"].map((id) => client.catalog.getOffer.query({ id })));
  expect(results).toEqual([{ id: "a" }, { id: "b" }]);
  for (const request of requests) {
    expect(request.method).toBe("GET");
    expect(request.url).toMatch(/^\/trpc\/catalog\.getOffer\?input=/);
    expect(request.headers).not.toHaveProperty("content-type");
  }
});

test("an input that is too long for a URL is posted alone", async () => {
  const { url, requests } = await serveEcho();
  const offers = Array.from({ length: 1000 }, (_none, index) => `Angebot-Nummer-${index}-ä`);
  const client = createCatalogClient({ url });
  expect(await client.catalog.checkOffersExist.query({ offers })).toEqual({ offers });
  expect(requests.map(({ method }) => method)).toEqual(["POST"]);
});

test("headers may be given for each request", async () => {
  const { url, requests } = await serveEcho();
  const client = createCatalogClient({
    url,
    headers: () => ({ "x-request-id": `id-${requests.length}` }),
  });
  await client.catalog.getOffer.query({ id: "a" });
  await client.catalog.getOffer.query({ id: "a" });
  expect(requests.map(({ headers }) => headers["x-request-id"])).toEqual(["id-0", "id-1"]);
});

test("an error of the router has its code, status, message and the request's id", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(404, { "content-type": "application/json", "x-request-id": "id-1" });
    const data = { code: "NOT_FOUND", httpStatus: 404, error: "NOT_FOUND" };
    response.end(JSON.stringify([{ error: { code: -32004, message: "Offer not found", data } }]));
  });
  const error = await failureOf(createCatalogClient({ url }).catalog.getOffer.query({ id: "a" }));
  expect(error).toMatchObject({ code: "NOT_FOUND", status: 404, requestId: "id-1" });
  expect(error.message).toBe("Offer not found");
});

test("an error from before the router, such as the rate limiter's, has its code and status", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(429, { "content-type": "application/json" });
    response.end(JSON.stringify({ message: "Too many requests.", error: "RATE_LIMITED" }));
  });
  const error = await failureOf(createCatalogClient({ url }).catalog.listItems.query());
  expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429 });
});

test("a response that is not the gateway's is UNREACHABLE", async () => {
  const url = await serve((_request, response) => {
    response.writeHead(502, { "content-type": "text/html" }).end("<h1>Bad gateway</h1>");
  });
  const client = createCatalogClient({ url });
  const error = await failureOf(client.catalog.listItems.query());
  expect(error).toMatchObject({ code: "UNREACHABLE", status: 502, requestId: undefined });
});

test.for([
  ["the global fetch", globalThis.fetch],
  ["a fetch with classes of its own", undici.fetch],
] as const)("errors with %s have status, request id and retryAfter", async ([, fetch]) => {
  const url = await serve((_request, response) => {
    const headers = { "content-type": "application/json", "x-request-id": "id-1" };
    response.writeHead(429, { ...headers, "retry-after": "60" });
    response.end(JSON.stringify({ message: "Too many requests.", error: "RATE_LIMITED" }));
  });
  const client = createCatalogClient({ url, fetch });
  const error = await failureOf(client.catalog.getOffer.query({ id: "a" }));
  expect(error).toMatchObject({ status: 429, requestId: "id-1", retryAfter: 60 });
});

test("a gateway that does not listen is UNREACHABLE without a status", async () => {
  const url = await serve(() => undefined);
  await closeServers();
  const error = await failureOf(createCatalogClient({ url }).catalog.listItems.query());
  expect(error).toMatchObject({ code: "UNREACHABLE", status: undefined });
});

test("a gateway that does not respond in time is DEADLINE_EXCEEDED", async () => {
  const url = await serve(() => undefined);
  const client = createCatalogClient({ url, timeoutMs: 50 });
  const error = await failureOf(client.catalog.listItems.query());
  expect(error).toMatchObject({ code: "DEADLINE_EXCEEDED", status: undefined });
});

test("a call whose signal is aborted is CANCELED", async () => {
  const canceled = new AbortController();
  const url = await serve(() => canceled.abort());
  const client = createCatalogClient({ url });
  const call = client.catalog.listItems.query(undefined, { signal: canceled.signal });
  expect(await failureOf(call)).toMatchObject({ code: "CANCELED" });
  const early = client.catalog.listItems.query(undefined, { signal: AbortSignal.abort() });
  expect(await failureOf(early)).toMatchObject({ code: "CANCELED" });
});
