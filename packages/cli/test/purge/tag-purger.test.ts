import { wholeFeedTag } from "@storefront/gateway";
import { createLogger } from "@storefront/process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { cloudflareEdge, fastlyEdge, varnishEdge } from "../../src/purge/edge.ts";
import type { Edge } from "../../src/purge/edge.ts";
import { TagPurger } from "../../src/purge/tag-purger.ts";
import type { Cursors } from "../../src/purge/tag-purger.ts";

interface Call {
  method: string | undefined;
  path: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** An edge's API that responds with the statuses in turn, then with 200. */
async function startApi(...statuses: number[]): Promise<{ url: string; calls: Call[] }> {
  const calls: Call[] = [];
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { method, url: path, headers } = request;
    calls.push({ method, path, headers, body: await text(request) });
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "0" }).end("{}");
  };
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return { url: `http://127.0.0.1:${address.port}`, calls };
}

function startPurger(edge: Edge) {
  const ending = new AbortController();
  const purged: Cursors[] = [];
  const purger = new TagPurger({
    edge,
    logger: createLogger({ service: "purge", level: "silent" }),
    onPurged: async (cursors) => void purged.push(cursors),
    signal: ending.signal,
  });
  const running = purger.run();
  onTestFinished(async () => {
    ending.abort();
    await running;
  });
  return { purger, purged };
}

const cursor = (sequence: number) => ({ sequence, identity: `of ${sequence}`, logId: "log" });
const tagsNamed = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test("Varnish gets a request for vmod xkey, without a path", async () => {
  const { url, calls } = await startApi();
  await varnishEdge(url).purge(["a", "b"]);
  expect(calls).toMatchObject([{ method: "PURGE", path: "/", headers: { "xkey-purge": "a b" } }]);
});

test("Fastly gets 256 keys at a time, with the token", async () => {
  const { url, calls } = await startApi();
  const { purger } = startPurger(fastlyEdge("SU1Z0isxPaozGVKXdv0eY", "token", url));
  purger.add("catalog", tagsNamed(257), cursor(1));
  await vi.waitUntil(() => calls.length >= 2);
  expect(calls[0]).toMatchObject({
    method: "POST",
    path: "/service/SU1Z0isxPaozGVKXdv0eY/purge",
    headers: { "fastly-key": "token", "surrogate-key": tagsNamed(256).join(" ") },
  });
  expect(calls[1]?.headers["surrogate-key"]).toBe("t256");
});

test("Cloudflare gets 30 tags at a time, with the token", async () => {
  const { url, calls } = await startApi();
  const { purger } = startPurger(cloudflareEdge("zone", "token", url));
  purger.add("catalog", tagsNamed(31), cursor(1));
  await vi.waitUntil(() => calls.length >= 2);
  expect(calls[0]).toMatchObject({
    method: "POST",
    path: "/zones/zone/purge_cache",
    headers: { authorization: "Bearer token", "content-type": "application/json" },
    body: JSON.stringify({ tags: tagsNamed(30) }),
  });
  expect(calls[1]?.body).toBe('{"tags":["t30"]}');
});

test("more tags than fit in ten calls are purged with their whole feed", async () => {
  const { url, calls } = await startApi();
  const { purger } = startPurger(cloudflareEdge("zone", "token", url));
  purger.add("pricing", tagsNamed(301), cursor(1));
  await vi.waitUntil(() => calls.length > 0);
  expect(calls[0]?.body).toBe(JSON.stringify({ tags: [wholeFeedTag("pricing")] }));
});

test("a purge is retried until the edge accepts it, and reported once no older response can be cached", async () => {
  const { url, calls } = await startApi(503, 429, 500);
  const { purger, purged } = startPurger(varnishEdge(url));
  purger.add("catalog", ["a"], cursor(1));
  purger.add("pricing", ["b"], cursor(2));
  await vi.waitUntil(() => purged.length > 0, { timeout: 50_000 });
  expect(purged).toEqual([{ catalog: cursor(1), pricing: cursor(2) }]);
  // Three rejected calls, then one in each round.
  expect(calls.map(({ headers }) => headers["xkey-purge"])).toEqual(Array(7).fill("a b"));
});

test("a purge fails when the edge is unreachable or redirects", async () => {
  await expect(varnishEdge("http://127.0.0.1:1").purge(["a"])).rejects.toThrow("cannot be purged");
  const { url } = await startApi(307);
  await expect(varnishEdge(url).purge(["a"])).rejects.toThrow("cannot be purged");
});
