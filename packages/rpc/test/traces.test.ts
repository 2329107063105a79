import { createClient } from "@connectrpc/connect";
import type { Transport } from "@connectrpc/connect";
import { createAsyncIterable } from "@connectrpc/connect/protocol";
import { Health } from "@storefront/contracts/grpc/health/v1/health";
import { activeSpan, createLogger, runForSpan, startTracing } from "@storefront/process";
import type { Tracer } from "@storefront/process";
import { startTraceReceiver } from "@storefront/testkit";
import type { ReceivedSpan, TraceReceiver } from "@storefront/testkit";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createGrpcTransport, createTransport, providePart } from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { callers } from "./support/callers.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const spanId = "b7ad6b7169203331";
const sampled = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: "rojo=1" };
const notSampled = { traceparent: `00-${traceId}-${spanId}-00` };

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

let receiver: TraceReceiver;
let tracer: Tracer;
let server: EchoServer;
const seen: Headers[] = [];
beforeEach(async () => {
  receiver = await startTraceReceiver();
  const started = await startTracing(
    { url: `${receiver.url}/v1/traces`, serviceName: "echo" },
    createLogger({ service: "echo", destination: { write: () => undefined } }),
  );
  if (started === undefined) throw new Error("no tracer");
  tracer = started;
  server = await startEchoServer({ tracer });
  seen.length = 0;
  closers.push(
    () => receiver.close(),
    () => tracer.close(),
    () => server.close(),
  );
});

function clientOver(transport: Transport & { close?: () => Promise<void> }) {
  closers.push(() => transport.close?.());
  return createClient(EchoService, transport);
}

/** All spans; ends tracing. */
async function traced(): Promise<readonly ReceivedSpan[]> {
  await tracer.close();
  return receiver.spans;
}

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => error);

describe.each(callers)("a call: $name", ({ open, missing }) => {
  it.skipIf(missing !== undefined)("is part of its caller's trace", async () => {
    const client = clientOver(open(server));
    await client.echo({ text: "a" }, { headers: sampled });
    expect(await traced()).toMatchObject([
      {
        name: "rpctest.v1.EchoService/Echo",
        kind: "server",
        traceId,
        parentSpanId: spanId,
        traceState: "",
        attributes: {
          "rpc.method": "rpctest.v1.EchoService/Echo",
          "rpc.system.name": expect.stringMatching(/^(?:connectrpc|grpc)$/),
        },
        isError: false,
      },
    ]);
  });

  it.skipIf(missing !== undefined)("is not traced when its caller's trace is not", async () => {
    const client = clientOver(open(server));
    await client.echo({ text: "a" }, { headers: notSampled });
    expect(await traced()).toEqual([]);
  });

  it.skipIf(missing !== undefined)(
    "starts a trace when its caller's headers have none",
    async () => {
      const client = clientOver(open(server));
      await client.echo(
        { text: "a" },
        { headers: { traceparent: `00-${"0".repeat(32)}-${spanId}-01` } },
      );
      expect(await traced()).toMatchObject([
        { parentSpanId: "", traceId: expect.not.stringMatching(/^0+$/) },
      ]);
    },
  );
});

const ours: [string, () => Transport & { close: () => Promise<void> }, string][] = [
  ["Connect", () => createTransport({ baseUrl: server.baseUrl }), "connectrpc"],
  ["gRPC", () => createGrpcTransport({ address: server.address }), "grpc"],
];

describe.each(ours)("a call within a span, by our transport over %s", (_protocol, open, system) => {
  it("has a span on each side, in one trace", async () => {
    const client = clientOver(open());
    const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
    await runForSpan(entry, () => client.echo({ text: "a" }, { headers: notSampled }));
    entry.end();
    const spans = await traced();
    const calling = spans.find(({ kind }) => kind === "client");
    expect(calling).toMatchObject({
      name: "rpctest.v1.EchoService/Echo",
      parentSpanId: entry.spanId,
      attributes: {
        "rpc.system.name": system,
        "rpc.method": "rpctest.v1.EchoService/Echo",
        "server.address": "127.0.0.1",
        "server.port": system === "grpc" ? server.grpcPort : server.port,
      },
    });
    expect(spans.find(({ name, kind }) => kind === "server" && name !== "entry")).toMatchObject({
      traceId: entry.traceId,
      parentSpanId: calling?.spanId,
    });
  });

  it("that fails has its code; an error of the caller is not a failure of the server", async () => {
    const client = clientOver(open());
    const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
    const fail = (failure: { case: "refuse" | "crash"; value: string }) =>
      runForSpan(entry, () => failureOf(client.echo({ behavior: { failure } })));
    await fail({ case: "refuse", value: "an id" });
    await fail({ case: "crash", value: "a secret" });
    const spans = await traced();
    const ends = spans.map(({ kind, isError, attributes }) => {
      const code = String(attributes["rpc.status_code"]).toLowerCase();
      return `${kind} ${isError ? "failed" : "fine"} ${code}`;
    });
    expect(new Set(ends)).toEqual(
      new Set([
        "client failed internal",
        "client failed not_found",
        "server fine not_found",
        "server failed internal",
      ]),
    );
    expect(JSON.stringify(spans)).not.toMatch(/an id|a secret/);
  });

  it("with a stream ends its spans with the stream", async () => {
    const client = clientOver(open());
    const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
    const texts = await runForSpan(entry, () =>
      Array.fromAsync(client.repeat({ text: "a", count: 2 }), ({ text }) => text),
    );
    expect(texts).toEqual(["a", "a"]);
    const spans = await traced();
    const code = system === "grpc" ? "OK" : undefined;
    expect(spans.map(({ attributes }) => attributes["rpc.status_code"])).toEqual([code, code]);
    const kinds = spans.map(({ kind, name }) => `${kind} ${name}`);
    expect(kinds.toSorted()).toEqual([
      "client rpctest.v1.EchoService/Repeat",
      "server rpctest.v1.EchoService/Repeat",
    ]);
  });
});

it.each(ours)(
  "a stream over %s that is aborted ends its span, also when it is not read",
  async (_protocol, open) => {
    const transport = open();
    closers.push(() => transport.close());
    const aborter = new AbortController();
    const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
    const input = createAsyncIterable([{ text: "a", count: 2 }]);
    await runForSpan(entry, () =>
      transport.stream(EchoService.method.repeat, aborter.signal, undefined, undefined, input),
    );
    aborter.abort();
    const calling = (await traced()).filter(({ kind }) => kind === "client");
    expect(calling).toMatchObject([{ name: "rpctest.v1.EchoService/Repeat", isError: true }]);
  },
);

it("a unary handler has its call's span, and a stream's has none, so that its trace does not grow without limit", async () => {
  const active: (string | undefined)[] = [];
  const service = providePart(EchoService, {
    async echo() {
      await Promise.resolve();
      active.push(activeSpan()?.traceId);
      return {};
    },
    async *repeat() {
      active.push(activeSpan()?.traceId);
      yield {};
    },
  });
  const other = await startEchoServer({ tracer, services: [service] });
  closers.push(() => other.close());
  for (const { open } of callers.filter(({ missing }) => missing === undefined)) {
    const client = clientOver(open(other));
    await client.echo({}, { headers: sampled });
    expect(active.splice(0)).toEqual([traceId]);
    await Array.fromAsync(client.repeat({}, { headers: sampled }));
    expect(active.splice(0)).toEqual([undefined]);
  }
});

it("a call made on behalf of another propagates its trace", async () => {
  const untraced = await startEchoServer({
    services: [
      providePart(EchoService, {
        echo: async (_request, context) => {
          seen.push(context.requestHeader);
          return {};
        },
      }),
    ],
  });
  const inner = clientOver(createTransport({ baseUrl: untraced.baseUrl }));
  const forward = providePart(EchoService, {
    echo: async () => await inner.echo({}),
  });
  const tracing = await startEchoServer({ services: [forward], tracer });
  for (const each of [untraced, tracing]) closers.push(() => each.close());

  await clientOver(createTransport({ baseUrl: tracing.baseUrl })).echo({}, { headers: sampled });
  const calling = (await traced()).find(({ kind }) => kind === "client");
  expect(seen[0]?.get("traceparent")).toBe(`00-${traceId}-${calling?.spanId}-01`);
  expect(seen[0]?.get("tracestate")).toBe(sampled.tracestate);
});

it("a call within a span does not propagate the trace of its headers", async () => {
  const untraced = await startEchoServer({
    services: [
      providePart(EchoService, {
        echo: async (_request, context) => {
          seen.push(context.requestHeader);
          return {};
        },
      }),
    ],
  });
  closers.push(() => untraced.close());
  const client = clientOver(createTransport({ baseUrl: untraced.baseUrl }));
  const entry = tracer.enter("entry", { parent: undefined, attributes: {} });
  await runForSpan(entry, () => client.echo({}, { headers: sampled }));
  expect(seen[0]?.get("traceparent")).toContain(entry.traceId);
  expect(seen[0]?.get("tracestate")).toBeNull();
});

it("health checks are not traced", async () => {
  const transport = createGrpcTransport({ address: server.address });
  closers.push(() => transport.close());
  const health = createClient(Health, transport);
  expect(await health.check({}, { headers: sampled })).toMatchObject({ status: expect.anything() });
  expect(await traced()).toEqual([]);
});

it("the log line of a failure has the trace id", async () => {
  const client = clientOver(createTransport({ baseUrl: server.baseUrl }));
  const crash = { behavior: { failure: { case: "crash", value: "" } } } as const;
  await failureOf(client.echo(crash, { headers: sampled }));
  await failureOf(client.echo(crash, { headers: notSampled }));
  const [span] = await traced();
  expect(server.logLines.filter(({ msg }) => msg === "call failed")).toMatchObject([
    { traceId, spanId: span?.spanId },
    { traceId, spanId },
  ]);
});
