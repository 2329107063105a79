import { expect, test } from "vitest";
import openApiDocument from "../openapi.json" with { type: "json" };
import { addressList } from "../src/http/client-address.ts";
import { useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";

const stack = useStack();
const behindProxy = useStack({ protection: { trustedProxies: addressList(["127.0.0.1"]) } });
const publicUrl = "https://shop.example";
const strict = useStack({ publicUrl, corsOrigins: ["https://shop.example"] });

const publicCaching = "public, max-age=60, stale-while-revalidate=300";

test("HEAD responds as GET, without a body", async () => {
  const get = await stack().ask("/offers/full");
  const head = await stack().ask("/offers/full", { method: "HEAD" });
  expect(head.status).toBe(200);
  expect(head.bytes).toHaveLength(0);
  for (const name of ["content-length", "content-type", "etag", "cache-control", "vary"]) {
    expect(head.headers).toHaveProperty(name, get.headers[name]);
  }
  expect((await stack().ask("/offers/nope", { method: "HEAD" })).status).toBe(404);
});

test("an entity tag is strong and differs by coding, and gives 304 without a body", async () => {
  const tags = new Set<string>();
  for (const coding of ["identity", "br", "gzip"]) {
    const headers = { "accept-encoding": coding };
    const first = await stack().ask("/offers/full", { headers });
    const tag = first.headers.etag ?? "";
    expect(tag).toMatch(/^"[^"]+"$/);
    tags.add(tag);
    for (const noneMatch of [tag, `"x", W/${tag}`, "*"]) {
      const again = await stack().ask("/offers/full", {
        headers: { ...headers, "if-none-match": noneMatch },
      });
      expect(again.status).toBe(304);
      expect(again.bytes).toHaveLength(0);
      expect(again.headers.etag).toBe(tag);
      expect(again.headers["cache-control"]).toBe(publicCaching);
      expect(again.headers.vary).toBe(first.headers.vary);
    }
    const other = await stack().ask("/offers/full", {
      headers: { ...headers, "if-none-match": '"other"' },
    });
    expect(other.status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test("every 200 has an entity tag, a POST's too, but a POST is never 304", async () => {
  const options = {
    method: "POST",
    headers: { "content-type": "application/json", "if-none-match": "*" },
    body: '{"offers":[]}',
  };
  const { status, headers } = await stack().ask("/offers/exists", options);
  expect(status).toBe(200);
  expect(headers.etag).toBeDefined();
  expect((await stack().ask("/health")).headers.etag).toBeDefined();
});

test.for([
  ["br, gzip", "br"],
  ["gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0.1, gzip;q=0.5", "gzip"],
  ["gzip;q=0.5, identity", undefined],
  ["deflate", undefined],
  ["br;q=0, gzip;q=0", undefined],
])("a client that accepts %s gets %s", async ([accepted = "", coding]) => {
  const headers = { "accept-encoding": accepted };
  const { headers: responseHeaders, json } = await stack().ask("/offers/full", { headers });
  expect(responseHeaders["content-encoding"]).toBe(coding);
  expect(responseHeaders.vary).toContain("Accept-Encoding");
  expect(json).toHaveProperty("id", "full");
});

test("up to 1 KiB nothing is compressed", async () => {
  const { headers } = await stack().ask("/sandboxes/room", {
    headers: { "accept-encoding": "br" },
  });
  expect(headers["content-encoding"]).toBeUndefined();
});

test("responses may be cached for a minute, and privately if they depend on a cookie", async () => {
  const plain = await stack().ask("/offers/full");
  expect(plain.headers["cache-control"]).toBe(publicCaching);
  expect(plain.headers.vary).toBe("Accept-Encoding, Cookie");
  expect((await stack().ask("/items")).headers.vary).toBe("Accept-Encoding");

  const cookie = 'a=b; CATALOG_COUNTRY="de"; c=d';
  const byCookie = await stack().ask("/offers/full", { headers: { cookie } });
  expect(byCookie.headers["cache-control"]).toBe("private, max-age=60");
  expect(byCookie.json).toHaveProperty("price.region", "EURO");

  const named = await stack().ask("/offers/full?country=us", { headers: { cookie } });
  expect(named.headers["cache-control"]).toBe(publicCaching);
  expect(named.json).toHaveProperty("price.region", "US");
  const empty = await stack().ask("/offers/full?country=", { headers: { cookie } });
  expect(empty.json).toHaveProperty("price.region", "EURO");
});

test.for([
  "CATALOG_COUNTRY=germany",
  "CATALOG_COUNTRY=",
  "XCATALOG_COUNTRY=DE",
  "CATALOG_COUNTRY=D1",
])("the malformed cookie %s is ignored", async (cookie) => {
  const { json, headers } = await stack().ask("/offers/full", { headers: { cookie } });
  expect(json).toHaveProperty("price.region", "US");
  expect(headers["cache-control"]).toBe(publicCaching);
});

test("a preflight gets a response for any origin, without credentials", async () => {
  const { status, headers } = await stack().ask("/offers/slugs", {
    method: "OPTIONS",
    headers: {
      origin: "https://any.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-own",
    },
  });
  expect(status).toBe(204);
  expect(headers["access-control-allow-origin"]).toBe("*");
  expect(headers["access-control-allow-credentials"]).toBeUndefined();
  expect(headers["access-control-allow-methods"]).toBe("POST, OPTIONS");
  expect(headers["access-control-allow-headers"]).toBe("content-type,x-own");
  expect(headers.allow).toBe("POST, OPTIONS");
});

test("with an allow-list only the listed origins are reflected, with credentials", async () => {
  const listed = await strict().ask("/regions", { headers: { origin: "https://shop.example" } });
  expect(listed.headers["access-control-allow-origin"]).toBe("https://shop.example");
  expect(listed.headers["access-control-allow-credentials"]).toBe("true");
  expect(listed.headers.vary).toContain("Origin");
  const other = await strict().ask("/regions", { headers: { origin: "https://evil.example" } });
  expect(other.headers["access-control-allow-origin"]).toBeUndefined();
  expect(other.headers.vary).toContain("Origin");
});

test("with an allow-list all tRPC responses vary by the origin, failures and batches too", async () => {
  for (const [path, status] of [
    ["catalog.listItems", 200],
    ["catalog.listItems?batch=1", 200],
    ["catalog.getItem?input=%7B%22id%22%3A%22nope%22%7D", 404],
    ["catalog.getItem?input=1", 400],
  ] as const) {
    const headers = { origin: "https://shop.example" };
    const response = await strict().ask(`/trpc/${path}`, { headers });
    expect({ path, status: response.status }).toEqual({ path, status });
    expect(response.headers["access-control-allow-origin"]).toBe("https://shop.example");
    expect({ path, vary: response.headers.vary }).toEqual({
      path,
      vary: expect.stringContaining("Origin"),
    });
  }
});

test("errors can be read from other origins", async () => {
  const { headers } = await stack().ask("/nope");
  expect(headers["access-control-allow-origin"]).toBe("*");
});

test("a request id is preserved or made, and passed to the services with the trace", async () => {
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const headers = { "x-request-id": "id-1", traceparent };
  expect((await stack().ask("/items", { headers })).headers["x-request-id"]).toBe("id-1");
  const sent = stack().services.calls[0]?.headers;
  expect(sent?.get("x-request-id")).toBe("id-1");
  expect(sent?.get("traceparent")).toBe(traceparent);

  const made = await stack().ask("/items", { headers: { "x-request-id": "with space" } });
  expect(made.headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
});

test("Server-Timing names the upstream calls", async () => {
  const { headers } = await stack().ask("/offers/full");
  expect(headers["server-timing"]).toMatch(/catalog\.BatchGetOffers;dur=\d+\.\d/);
  expect(headers["server-timing"]).toMatch(/pricing\.BatchGetPrices;dur=\d+\.\d/);
});

test("every request has one line in the log, under its id", async () => {
  const { headers } = await stack().ask("/offers/full?country=us");
  const lines = () => stack().linesOf(headers["x-request-id"]);
  await expect.poll(lines).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: "info",
    requestId: headers["x-request-id"],
    method: "GET",
    path: "/offers/full",
    operation: "getOffer",
    status: 200,
    clientAddress: "127.0.0.1",
    sentBytes: expect.any(Number),
    durationMs: expect.any(Number),
  });
});

test("the log line of a request has the bytes that were sent for it alone", async () => {
  // One request after another on one connection.
  for (const path of ["/offers/full", "/regions", "/offers/full"]) {
    const response = await fetch(`${stack().url}${path}`);
    const { length } = await response.text();
    const lines = () => stack().linesOf(response.headers.get("x-request-id"));
    await expect.poll(lines).toHaveLength(1);
    const sentBytes = Number(lines()[0]?.["sentBytes"]);
    expect(sentBytes).toBeGreaterThan(Number(response.headers.get("content-length")));
    expect(sentBytes).toBeLessThan(length + 2000);
  }
});

test("the log line of a request has the client's address as far as proxies are trusted", async () => {
  const addressOf = async (asked: TestStack) => {
    const { headers } = await asked.ask("/regions", {
      headers: { "x-forwarded-for": "198.51.100.7" },
    });
    const lines = () => asked.linesOf(headers["x-request-id"]);
    await expect.poll(lines).toHaveLength(1);
    return lines()[0]?.["clientAddress"];
  };
  expect(await addressOf(stack())).toBe("127.0.0.1");
  expect(await addressOf(behindProxy())).toBe("198.51.100.7");
});

test("the OpenAPI document is served like every other response", async () => {
  const { status, json, headers } = await stack().ask("/openapi.json", {
    headers: { "accept-encoding": "br" },
  });
  expect(status).toBe(200);
  expect(json).toEqual(openApiDocument);
  expect(headers["content-encoding"]).toBe("br");
});

test("the OpenAPI document names the public address as its server", async () => {
  const { json } = await strict().ask("/openapi.json");
  expect(json).toEqual({ ...openApiDocument, servers: [{ url: publicUrl }] });
});
