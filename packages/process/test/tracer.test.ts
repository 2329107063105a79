import { createLogger, readTraceParent, startTracing } from "@storefront/process";
import type { Span, Tracer, TracingOptions } from "@storefront/process";
import { startTraceReceiver } from "@storefront/testkit";
import type { TraceReceiver } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const sampled = readTraceParent(`00-${traceId}-b7ad6b7169203331-01`, "rojo=1");
const notSampled = readTraceParent(`00-${traceId}-b7ad6b7169203331-00`);

let receiver: TraceReceiver;
beforeAll(async () => {
  receiver = await startTraceReceiver();
  afterAll(() => receiver.close());
});
beforeEach(() => {
  receiver.status = 200;
});

async function start(options: Partial<TracingOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const destination = {
    write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>),
  };
  const tracer = await startTracing(
    { url: `${receiver.url}/v1/traces`, serviceName: "catalog", ...options },
    createLogger({ service: "catalog", destination }),
  );
  if (tracer === undefined) throw new Error("no tracer");
  onTestFinished(() => tracer.close());
  return { tracer, lines };
}

const enter = (tracer: Tracer, parent = sampled): Span =>
  tracer.enter("entry", { parent, attributes: {} });

const spanOf = ({ spanId }: Span) => receiver.spans.find((span) => span.spanId === spanId);

describe("a tracer", () => {
  it("sends ended spans when it is closed, as part of the caller's trace", async () => {
    const { tracer } = await start({
      resourceAttributes: { "deployment.environment.name": "test" },
    });
    const entry = enter(tracer);
    const child = entry.child("part", { kind: "client", attributes: { "rpc.method": "a/B" } });
    child.fail("not_found");
    child.end();
    entry.end();
    await tracer.close();
    expect(spanOf(entry)).toMatchObject({
      service: "catalog",
      resource: { "service.namespace": "storefront", "deployment.environment.name": "test" },
      name: "entry",
      kind: "server",
      traceId,
      parentSpanId: "b7ad6b7169203331",
      isError: false,
    });
    expect(spanOf(child)).toMatchObject({
      kind: "client",
      traceId,
      parentSpanId: entry.spanId,
      attributes: { "rpc.method": "a/B", "error.type": "not_found" },
      isError: true,
    });
    expect(child.traceparent).toBe(`00-${traceId}-${child.spanId}-01`);
    expect(child.tracestate).toBe("rojo=1");
  });

  it("starts a trace where there is none", async () => {
    const { tracer } = await start();
    const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
    expect(readTraceParent(entry.traceparent)).toMatchObject({ isSampled: true });
    expect(tracer.unsampled(notSampled)).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`));
    expect(readTraceParent(tracer.unsampled(undefined))).toMatchObject({ isSampled: false });
  });

  it("logs once that exports fail, and when they succeed again", async () => {
    const { tracer, lines } = await start({ exportDelayMs: 1 });
    const exported = async () => {
      const before = receiver.requests.length;
      enter(tracer).end();
      await expect.poll(() => receiver.requests.length).toBeGreaterThan(before);
    };
    receiver.status = 400;
    await exported();
    await exported();
    await exported();
    receiver.status = 200;
    await exported();
    await expect
      .poll(() => lines)
      .toMatchObject([
        { level: "warn", msg: "traces cannot be exported" },
        { level: "info", msg: "traces are exported again" },
      ]);
  });

  it("closes in a few seconds when the collector is down", async () => {
    const closed = await startTraceReceiver();
    await closed.close();
    const { tracer, lines } = await start({ url: `${closed.url}/v1/traces`, exportTimeoutMs: 500 });
    enter(tracer).end();
    await tracer.close();
    expect(lines).toMatchObject([{ level: "warn", msg: "traces cannot be exported" }]);
  });
});

describe("a sampler", () => {
  it.each([
    ["parentbased_always_on", true, true, false],
    ["parentbased_always_off", false, true, false],
    ["always_on", true, true, true],
    ["always_off", false, false, false],
  ] as const)("%s decides", async (sampler, root, ofSampled, ofUnsampled) => {
    const { tracer } = await start({ sampler });
    expect(tracer.sample(undefined) !== undefined).toBe(root);
    expect(tracer.sample(sampled)).toBe(ofSampled ? traceId : undefined);
    expect(tracer.sample(notSampled)).toBe(ofUnsampled ? traceId : undefined);
  });

  it("by ratio samples that part of the new traces, and follows the caller's decision if it is parent-based", async () => {
    const { tracer } = await start({ sampler: "parentbased_traceidratio", ratio: 0.25 });
    const taken = Array.from({ length: 4000 }, () => tracer.sample(undefined)).filter(Boolean);
    expect(taken.length).toBeGreaterThan(700);
    expect(taken.length).toBeLessThan(1300);
    expect(tracer.sample(sampled)).toBe(traceId);
    expect(tracer.sample(notSampled)).toBeUndefined();
  });

  it("by ratio makes the same decision for a trace in every process", async () => {
    const { tracer: one } = await start({ sampler: "traceidratio", ratio: 0.5 });
    const { tracer: other } = await start({ sampler: "traceidratio", ratio: 0.5 });
    const traces = Array.from({ length: 100 }, () => readTraceParent(one.unsampled(undefined)));
    const decisions = traces.map((trace) => one.sample(trace));
    expect(traces.map((trace) => other.sample(trace))).toEqual(decisions);
    expect(new Set(decisions.map((id) => id !== undefined)).size).toBe(2);
  });

  it("by ratio starts traces that other processes sample as well", async () => {
    const { tracer: one } = await start({ sampler: "parentbased_traceidratio", ratio: 0.5 });
    const { tracer: other } = await start({ sampler: "traceidratio", ratio: 0.5 });
    const ids = Array.from({ length: 100 }, () => one.sample(undefined) ?? []).flat();
    expect(ids).not.toEqual([]);
    for (const id of ids) {
      const entry = one.enter("entry", { parent: undefined, traceId: id, attributes: {} });
      expect(entry.traceId).toBe(id);
      expect(other.sample(readTraceParent(entry.traceparent))).toBe(id);
    }
  });
});
