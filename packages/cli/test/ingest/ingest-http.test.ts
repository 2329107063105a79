import { createLogger, createMetrics } from "@storefront/process";
import { once } from "node:events";
import { request as requestHttp } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { startIngestServer } from "../../src/ingest/ingest-server.ts";
import type { IngestServer } from "../../src/ingest/ingest-server.ts";
import { openLinkedCatalog } from "../support/linked-catalog.ts";
import type { LinkedCatalog } from "../support/linked-catalog.ts";

const token = "a-token-of-ingest-by-http";
const authorization = `Bearer ${token}`;
const observedAt = "2026-01-02T03:04:05.678Z";

let catalog: LinkedCatalog;
let ingest: IngestServer;
let notes: string[];

beforeAll(async () => {
  catalog = await openLinkedCatalog();
});
beforeEach(async () => {
  await catalog.start();
  notes = [];
  ingest = await startIngest();
});
afterEach(async () => {
  await ingest.close();
  await catalog.reset();
});
afterAll(() => catalog.close());

function startIngest({ retryForMs = 60_000, idleTimeoutMs = 60_000, uploadsMax = 4 } = {}) {
  const destination = { write: (line: string) => notes.push(line) };
  return startIngestServer({
    port: 0,
    host: "127.0.0.1",
    tokens: [token, "the-token-after-that-one"],
    uploadsMax,
    shutdownDelayMs: 0,
    shutdownTimeoutMs: 0,
    retryForMs,
    idleTimeoutMs,
    logger: createLogger({ service: "test", level: "warn", destination }),
    metrics: createMetrics({ service: "test" }),
    connect: async () => {
      const opened = new AsyncDisposableStack();
      return {
        open: async (service) =>
          service === "catalog"
            ? opened.adopt(catalog.connect(), (transport) => transport.close())
            : undefined,
        explain: async (_, error) => error,
        [Symbol.asyncDispose]: () => opened.disposeAsync(),
      };
    },
  });
}

interface RequestOptions {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
}

/** A request without its body yet. */
interface OpenRequest {
  request: ClientRequest;
  responding: Promise<IncomingMessage>;
}

function open({ method = "PUT", path = "/ingest", headers }: RequestOptions = {}): OpenRequest {
  const { port } = ingest;
  const all = { authorization, ...headers };
  const request = requestHttp({ port, method, path, headers: all, agent: false });
  request.flushHeaders();
  const responding = once(request, "response").then(([response]) => response as IncomingMessage);
  return { request, responding };
}

async function upload(body: string | Buffer, options?: RequestOptions) {
  const { request, responding } = open(options);
  request.end(body);
  const response = await responding;
  return { status: response.statusCode, headers: response.headers, ...(await linesOf(response)) };
}

async function linesOf(response: IncomingMessage) {
  const lines = (await text(response)).trimEnd().split("\n");
  const parsed = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { refused: parsed.slice(0, -1), last: parsed.at(-1) };
}

const line = (value: object) => `${JSON.stringify(value)}\n`;
const tags = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    line({ kind: "tag", observedAt, record: { id: `tag-${from + index}`, name: "Rock" } }),
  ).join("");
const counts = (sums: object) => ({
  summary: {
    kinds: { tag: { read: 0, written: 0, unchanged: 0, stale: 0, rejected: 0, ...sums } },
    unknownMembers: 0,
    errors: [],
  },
});

it.each(["PUT", "POST"])(
  "%s imports a body, plain or gzip with and without its header",
  async (method) => {
    const written = await upload(tags(1, 10), { method });
    expect(written).toMatchObject({ status: 200, refused: [] });
    expect(written.headers["content-type"]).toBe("application/x-ndjson");
    expect(written.last).toEqual(counts({ read: 10, written: 10 }));
    const compressed = gzipSync(tags(1, 11));
    expect((await upload(compressed, { method })).last).toEqual(
      counts({ read: 11, written: 1, unchanged: 10 }),
    );
    const headers = { "content-encoding": "gzip" };
    expect((await upload(compressed, { method, headers })).last).toEqual(
      counts({ read: 11, unchanged: 11 }),
    );
  },
);

it("rejects other paths, methods and codings", async () => {
  expect(await upload("", { path: "/ingest/more" })).toMatchObject({ status: 404 });
  const wrongMethod = await upload("", { method: "DELETE" });
  expect(wrongMethod).toMatchObject({ status: 405, headers: { allow: "POST, PUT" } });
  expect(await upload("", { headers: { "content-encoding": "br" } })).toMatchObject({
    status: 415,
    last: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } },
  });
});

it.each(["", "Bearer another-token-of-16", token])(
  "does not read a body with the authorization '%s'",
  async (wrong) => {
    const headers = { expect: "100-continue", authorization: wrong };
    const { request, responding } = open({ headers });
    const isAllowed = vi.fn<() => void>();
    request.on("continue", isAllowed);
    const response = await responding;
    expect(response.statusCode).toBe(401);
    expect(response.headers["www-authenticate"]).toBe("Bearer");
    expect(await linesOf(response)).toMatchObject({ last: { error: { code: "UNAUTHENTICATED" } } });
    expect(isAllowed).not.toHaveBeenCalled();
  },
);

it("allows a body with any of the tokens before it is sent", async () => {
  const headers = { expect: "100-continue", authorization: "Bearer the-token-after-that-one" };
  const { request, responding } = open({ headers });
  await once(request, "continue");
  request.end(tags(1, 1));
  expect(await linesOf(await responding)).toMatchObject({ refused: [] });
});

it("reports each rejected line while the body is still being sent", async () => {
  const { request, responding } = open();
  request.write(`nonsense\n${line({ kind: "tag", observedAt, record: {} })}`);
  const response = await responding;
  const received: Buffer[] = [];
  response.on("data", (piece: Buffer) => received.push(piece));
  const read = () => Buffer.concat(received).toString();
  await vi.waitUntil(() => read().split("\n").length > 2);
  expect(read()).toBe(
    `{"line":1,"message":"the line is not JSON"}\n{"line":2,"kind":"tag","message":"id is required"}\n`,
  );
  request.end(tags(1, 1));
  await once(response, "end");
  expect(JSON.parse(read().trimEnd().split("\n").at(-1) ?? "")).toEqual({
    summary: {
      kinds: { tag: { read: 2, written: 1, unchanged: 0, stale: 0, rejected: 1 } },
      unknownMembers: 0,
      errors: [
        { file: "-", line: 1, reason: "the line is not JSON" },
        { file: "-", line: 2, reason: "id is required" },
      ],
    },
  });
});

it("writes each line once when an aborted body is sent again", async () => {
  const { request, responding } = open();
  request.on("error", () => undefined);
  request.write(tags(1, 1200) + tags(1201, 1201).slice(0, 40));
  await responding;
  await vi.waitUntil(async () => (await catalog.countTags()) === 1000);
  request.destroy();
  // The lines of the last batch that was received.
  await vi.waitUntil(async () => (await catalog.countTags()) === 1200);
  const { last } = await upload(tags(1, 3000));
  expect(last).toEqual(counts({ read: 3000, written: 1800, unchanged: 1200 }));
  expect(await catalog.countWrites()).toBe(3000);
});

it("ends with an error at a truncated gzip member, and applies earlier lines", async () => {
  const bytes = gzipSync(tags(1, 5000));
  const { last } = await upload(bytes.subarray(0, bytes.length - 2000));
  expect(last).toMatchObject({
    error: {
      code: "INVALID_ARGUMENT",
      message: "the file cannot be read any further: unexpected end of file",
    },
  });
  const { line: next } = (last as { error: { line: number } }).error;
  expect(await catalog.countTags()).toBe(next - 1);
  expect(next).toBeGreaterThan(1);
});

it("continues when a service is available again", async () => {
  const { request, responding } = open();
  request.write(tags(1, 1200));
  await vi.waitUntil(async () => (await catalog.countTags()) >= 500);
  await catalog.stop();
  request.end(tags(1201, 6000));
  await vi.waitUntil(() => notes.some((note) => note.includes("Waiting for the catalog service")));
  await catalog.start();
  const { refused, last } = await linesOf(await responding);
  expect(refused).toEqual([]);
  expect(last).toMatchObject({ summary: { kinds: { tag: { read: 6000, rejected: 0 } } } });
  expect(await catalog.countTags()).toBe(6000);
});

it("ends with an error when a service stays unavailable", async () => {
  await ingest.close();
  ingest = await startIngest({ retryForMs: 0 });
  await catalog.stop();
  const { last } = await upload(tags(1, 1));
  expect(last).toMatchObject({ error: { code: "UNAVAILABLE", line: 1 } });
  expect((last as { error: { message: string } }).error.message).toContain("the catalog service");
});

it("limits concurrent uploads", async () => {
  await ingest.close();
  ingest = await startIngest({ uploadsMax: 1 });
  const { request: first, responding } = open();
  first.write(tags(1, 1));
  const response = await responding;
  const refused = await upload(tags(2, 2));
  expect(refused).toMatchObject({ status: 429, headers: { "retry-after": "5" } });
  expect(refused.last).toMatchObject({ error: { code: "RATE_LIMITED" } });
  first.end();
  await text(response);
  await vi.waitUntil(async () => (await upload(tags(2, 2))).status === 200);
});

it("ends the upload of a client that sends nothing", async () => {
  await ingest.close();
  ingest = await startIngest({ idleTimeoutMs: 100 });
  const { request, responding } = open();
  request.write(tags(1, 1));
  const { last } = await linesOf(await responding);
  expect(last).toMatchObject({ error: { code: "DEADLINE_EXCEEDED" } });
  expect(await catalog.countTags()).toBe(1);
});

it("ends uploads in progress with an error when it closes", async () => {
  const { request, responding } = open();
  request.write(tags(1, 1));
  const response = await responding;
  const [{ last }] = await Promise.all([linesOf(response), ingest.close()]);
  expect(last).toMatchObject({ error: { code: "UNAVAILABLE" } });
});

it("serves the operators' pages without a token", async () => {
  await upload(tags(1, 10));
  await upload(gzipSync(tags(1, 1000)).subarray(0, 100));
  const page = async (path: string) => {
    const { request, responding } = open({ method: "GET", path, headers: { authorization: "" } });
    request.end();
    return await text(await responding);
  };
  expect(await page("/livez")).toBe("ok\n");
  expect(await page("/readyz")).toBe('{"ready":true,"failing":[]}\n');
  const sizeBytes = tags(1, 10).length + 100;
  const metrics = await page("/metrics");
  expect(metrics).toContain('ingest_http_uploads_total{outcome="complete",service="test"} 1\n');
  expect(metrics).toContain('ingest_http_uploads_total{outcome="failed",service="test"} 1\n');
  expect(metrics).toContain(`ingest_http_received_bytes_total{service="test"} ${sizeBytes}\n`);
  expect(metrics).toContain('ingest_http_uploads_in_flight{service="test"} 0\n');
});
