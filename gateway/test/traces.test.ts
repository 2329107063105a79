import { createLogger, readTraceParent, startTracing } from "@storefront/process";
import type { TracingOptions } from "@storefront/process";
import { startTraceReceiver } from "@storefront/testkit";
import type { ReceivedSpan, TraceReceiver } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { askRaw } from "./support/http-client.ts";
import { openEvents } from "./support/event-client.ts";
import { entry } from "./support/records.ts";
import { startGateway } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";
import { startServices } from "./support/start-services.ts";
import type { TestServices } from "./support/start-services.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const sampled = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: "rojo=1" };

let services: TestServices;
let receiver: TraceReceiver;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  services = await startServices();
  afterAll(() => services.close());
});
beforeEach(async () => {
  services.reset();
  receiver = await startTraceReceiver();
  closers.push(() => receiver.close());
});
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

interface TracedGateway extends Omit<TestStack, "services"> {
  /** Closes the gateway and returns everything that was traced. */
  traced(): Promise<readonly ReceivedSpan[]>;
}

async function startTraced(
  options: Partial<TracingOptions> = {},
  responseCacheBytes = 0,
): Promise<TracedGateway> {
  const tracer = await startTracing(
    { url: `${receiver.url}/v1/traces`, serviceName: "gateway", ...options },
    createLogger({ service: "gateway", destination: { write: () => undefined } }),
  );
  const gateway = await startGateway(services, { responseCacheBytes, tracer });
  closers.push(() => gateway.close());
  return {
    ...gateway,
    async traced() {
      await gateway.close();
      return receiver.spans;
    },
  };
}

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === name);

describe("a request", () => {
  it("is a span in its client's trace, with spans for its procedure and the calls of that", async () => {
    const gateway = await startTraced();
    const { headers } = await gateway.ask("/offers/full?country=us&q=a-secret", {
      headers: sampled,
    });
    await expect.poll(() => gateway.linesOf(headers["x-request-id"])).toHaveLength(1);
    const spans = await gateway.traced();
    const [request] = named(spans, "GET /offers/{id}");
    expect(request).toMatchObject({
      kind: "server",
      traceId,
      parentSpanId: spanId,
      attributes: {
        "http.request.method": "GET",
        "http.route": "/offers/{id}",
        "http.response.status_code": 200,
        "url.path": "/offers/full",
        "url.scheme": "http",
        "storefront.operation": "getOffer",
        "storefront.request_id": headers["x-request-id"],
      },
    });
    const [procedure] = named(spans, "getOffer");
    expect(procedure).toMatchObject({ kind: "internal", parentSpanId: request?.spanId });
    const calls = spans.filter(({ kind }) => kind === "client");
    expect(calls.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual(
      expect.arrayContaining([
        ["storefront.catalog.v1.CatalogService/BatchGetOffers", procedure?.spanId],
        ["storefront.pricing.v1.PricingService/BatchGetPrices", procedure?.spanId],
      ]),
    );
    for (const call of services.calls) {
      const sent = readTraceParent(call.headers.get("traceparent") ?? undefined);
      expect(calls.map((each) => each.spanId)).toContain(sent?.spanId);
      expect(sent).toMatchObject({ traceId, isSampled: true });
      expect(call.headers.get("tracestate")).toBe(sampled.tracestate);
    }
    expect(JSON.stringify(spans)).not.toContain("a-secret");
    expect(gateway.linesOf(headers["x-request-id"])[0]).toMatchObject({
      traceId,
      spanId: request?.spanId,
    });
  });

  it("that fails is a failed span only if the server is to blame", async () => {
    const gateway = await startTraced();
    services.interfere.set("listItems", () => Promise.reject(new Error("a secret")));
    await gateway.ask("/items");
    await gateway.ask("/offers/nope");
    const spans = await gateway.traced();
    expect(named(spans, "GET /items")).toMatchObject([
      { isError: true, attributes: { "http.response.status_code": 502, "error.type": "502" } },
    ]);
    expect(named(spans, "GET /offers/{id}")).toMatchObject([
      { isError: false, attributes: { "http.response.status_code": 404 } },
    ]);
    expect(JSON.stringify(spans)).not.toContain("a secret");
  });

  it("of tRPC has a span for each procedure of its batch", async () => {
    const gateway = await startTraced();
    const input = encodeURIComponent(JSON.stringify({ 0: {}, 1: {} }));
    const path = `/trpc/catalog.listItems,pricing.listRegions?batch=1&input=${input}`;
    expect((await gateway.ask(path)).status).toBe(200);
    const spans = await gateway.traced();
    const [request] = named(spans, "GET");
    for (const name of ["listItems", "listRegions"]) {
      expect(named(spans, name)).toMatchObject([{ parentSpanId: request?.spanId }]);
    }
  });

  it("of a probe is not traced", async () => {
    const gateway = await startTraced();
    await gateway.ask("/livez");
    await gateway.ask("/readyz");
    expect(await gateway.traced()).toEqual([]);
  });

  it("that the cache serves has no calls in its trace, and says so", async () => {
    const gateway = await startTraced({}, 1_000_000);
    await vi.waitUntil(
      async () => (await gateway.ask("/offers/full")).headers["age"] !== undefined,
    );
    const spans = await gateway.traced();
    const hit = named(spans, "GET /offers/{id}").at(-1);
    expect(hit?.attributes["storefront.cache"]).toBe("fresh");
    expect(spans.filter(({ parentSpanId }) => parentSpanId === hit?.spanId)).toEqual([]);
  });

  it("that lasts until its client leaves collects no spans meanwhile", async () => {
    const gateway = await startTraced();
    const events = await openEvents(gateway.url, "/changelist/stream", sampled);
    const before = services.calls.length;
    services.log.append(entry("new", "offer", "full"));
    await events.first(1);
    expect(services.calls.length).toBeGreaterThan(before);
    events.close();
    const spans = await gateway.traced();
    expect(spans.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "GET /changelist/stream",
      "watchEntries",
    ]);
  });
});

describe("joined lookups", () => {
  it("are a part of one request's trace, and linked to the others'", async () => {
    const gateway = await startTraced();
    // Pipelined requests are looked up in one turn.
    const request = (id: string, connection: string) =>
      `GET /offers/${id} HTTP/1.1\r\nHost: x\r\nConnection: ${connection}\r\n\r\n`;
    await askRaw(
      gateway.url,
      request("full", "keep-alive") + request("bare", "keep-alive") + request("full", "close"),
    );
    const spans = await gateway.traced();
    const joined = named(spans, "joined lookups");
    expect(joined.length).toBeGreaterThan(0);
    for (const { spanId: id, traceId: ofFirst, links, attributes } of joined) {
      expect(attributes["storefront.lookups"]).toBe(3);
      expect(links).toHaveLength(2);
      for (const link of links) {
        expect(link.traceId).not.toBe(ofFirst);
        const other = spans.find((span) => span.spanId === link.spanId);
        expect(other?.links).toContainEqual({ traceId: ofFirst, spanId: id });
      }
    }
  });
});

describe("a trace that is not sampled", () => {
  it("is not exported, and calls to services say so", async () => {
    const gateway = await startTraced({ sampler: "parentbased_always_off" });
    await gateway.ask("/items", { headers: { ...sampled } });
    await gateway.ask("/items");
    expect(await gateway.traced()).toEqual([]);
    const [ofClient, made] = services.calls.map(({ headers }) =>
      readTraceParent(
        headers.get("traceparent") ?? undefined,
        headers.get("tracestate") ?? undefined,
      ),
    );
    expect(ofClient).toMatchObject({ traceId, isSampled: false, tracestate: "rojo=1" });
    expect(ofClient?.spanId).not.toBe(spanId);
    expect(made).toMatchObject({ isSampled: false });
  });
});

it("without a tracer nothing is exported and the client's trace is passed on unchanged", async () => {
  const gateway = await startGateway(services, { responseCacheBytes: 0 });
  closers.push(() => gateway.close());
  await gateway.ask("/items", { headers: sampled });
  await gateway.ask("/items", { headers: { traceparent: "none", tracestate: "rojo=1" } });
  const sent = services.calls.map(({ headers }) => [
    headers.get("traceparent"),
    headers.get("tracestate"),
  ]);
  expect(sent).toEqual([
    [sampled.traceparent, sampled.tracestate],
    [null, null],
  ]);
  expect(receiver.requests).toEqual([]);
});
