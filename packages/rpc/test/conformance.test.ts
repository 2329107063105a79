import { Code, ConnectError, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeUnlessMissing, readMetrics, sumOf } from "@storefront/testkit";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  responseLimitBytes,
  errorInfoOf,
  fieldViolationsOf,
  requestLimitBytes,
} from "../src/index.ts";
import { EchoService } from "./gen/rpctest/v1/echo_service_pb.ts";
import { callers } from "./support/callers.ts";
import type { Caller } from "./support/callers.ts";
import { startEchoServer } from "./support/start-echo-server.ts";
import type { EchoServer } from "./support/start-echo-server.ts";

const nearLimit = Math.floor(3.9 * 1024 * 1024);
// Longer than any test: a call that ends did not end by this timeout.
const longMs = 60_000;
const duration = "rpc_server_call_duration_seconds";
// Enough for a call to reach its handler on a busy machine.
const deadlineMs = 300;

async function failureOf(call: Promise<unknown>): Promise<ConnectError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ConnectError);
  return error as ConnectError;
}

async function collect<T>(items: AsyncIterable<T>, into: T[] = []): Promise<T[]> {
  for await (const item of items) into.push(item);
  return into;
}

async function* each<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

function conformanceSuite({ open, bidirectional }: Caller): void {
  let server: EchoServer;
  let transport: ReturnType<typeof open>;
  let client: Client<typeof EchoService>;

  beforeAll(async () => {
    server = await startEchoServer();
    transport = open(server);
    client = createClient(EchoService, transport);
  });
  afterAll(async () => {
    await transport.close?.();
    await server.close();
  });

  /** Number of calls of a method that ended because their caller disconnected, which is not an error. */
  async function countAbandoned(method: string): Promise<number> {
    const page = await readMetrics(`${server.baseUrl}/metrics`);
    const procedure = `${EchoService.typeName}/${method}`;
    return ["canceled", "aborted"]
      .map((code) => sumOf(page, `${duration}_count`, { procedure, code }))
      .reduce((sum, count) => sum + count);
  }

  describe("unary", () => {
    test("returns the handler's message", async () => {
      expect(await client.echo({ text: "hällo" })).toMatchObject({ text: "hällo" });
    });

    test("accepts and returns empty messages", async () => {
      expect(await client.echoOnce({})).toMatchObject({ text: "" });
    });

    test("sends an encoded message", async () => {
      const behavior = { encoded: true };
      expect(await client.echo({ text: "stored", behavior })).toMatchObject({ text: "stored" });
    });

    test("passes the request id and the remaining time to the handler", async () => {
      const headers = { "x-request-id": "r-1" };
      const response = await client.echo({}, { headers, timeoutMs: longMs });
      expect(response.requestId).toBe("r-1");
      expect(response.timeoutMs).toBeGreaterThan(0);
      expect(response.timeoutMs).toBeLessThanOrEqual(longMs);
    });

    test("returns the handler's headers and trailers", async () => {
      const seen: (string | null)[] = [];
      await client.echo(
        { behavior: { metadata: "m" } },
        {
          onHeader: (header) => seen.push(header.get("x-test")),
          onTrailer: (trailer) => seen.push(trailer.get("x-test")),
        },
      );
      expect(seen).toEqual(["m", "m"]);
    });

    test("returns an error with its code, reason and metadata", async () => {
      const failure = { case: "refuse", value: "o-1" } as const;
      const error = await failureOf(client.echo({ behavior: { failure } }));
      expect(error.code).toBe(Code.NotFound);
      expect(errorInfoOf(error)).toEqual({
        reason: ErrorReason.OFFER_NOT_FOUND,
        metadata: { offerId: "o-1" },
      });
    });

    test("returns every invalid field", async () => {
      const failure = { case: "invalid", value: true } as const;
      const error = await failureOf(client.echo({ behavior: { failure } }));
      expect(error.code).toBe(Code.InvalidArgument);
      expect(fieldViolationsOf(error).map(({ field }) => field)).toEqual(["text", "count"]);
    });

    test("hides an unexpected error from the caller and logs its cause", async () => {
      const failure = { case: "crash", value: "secret detail" } as const;
      const headers = { "x-request-id": "r-crash" };
      const error = await failureOf(client.echo({ behavior: { failure } }, { headers }));
      expect(error.code).toBe(Code.Internal);
      expect(JSON.stringify([error.rawMessage, error.details])).not.toContain("secret");
      const line = server.logLines.find(({ requestId }) => requestId === "r-crash");
      expect(line).toMatchObject({ level: "error", err: { message: "secret detail" } });
    });

    test("aborts a call at its deadline and stops the handler", async () => {
      const stopped = once(server.events, "stop");
      const failure = { case: "hang", value: true } as const;
      const error = await failureOf(
        client.echo({ behavior: { failure } }, { timeoutMs: deadlineMs }),
      );
      expect(error.code).toBe(Code.DeadlineExceeded);
      await stopped;
    });

    test("stops the handler of a call that is cancelled", async () => {
      const before = await countAbandoned("Echo");
      const stopped = once(server.events, "stop");
      const controller = new AbortController();
      server.events.once("hang", () => controller.abort());
      const failure = { case: "hang", value: true } as const;
      const options = { signal: controller.signal, timeoutMs: longMs };
      const error = await failureOf(client.echo({ behavior: { failure } }, options));
      expect(error.code).toBe(Code.Canceled);
      await stopped;
      await vi.waitUntil(async () => (await countAbandoned("Echo")) > before);
    });

    test("does not make a call that is cancelled already", async () => {
      const error = await failureOf(client.echo({}, { signal: AbortSignal.abort() }));
      expect(error.code).toBe(Code.Canceled);
    });

    test("sends messages near the limit in both directions", async () => {
      const text = "y".repeat(nearLimit);
      expect((await client.echoOnce({ text })).text).toBe(text);
    });

    test("rejects a request over the limit", async () => {
      const text = "y".repeat(requestLimitBytes + 1);
      const error = await failureOf(client.echoOnce({ text }));
      expect(error.code).toBe(Code.ResourceExhausted);
      // The transport stays usable.
      expect((await client.echoOnce({ text: "next" })).text).toBe("next");
    });

    test("returns responses that are larger than a request may be", async () => {
      const sizeBytes = 3 * requestLimitBytes;
      expect((await client.echo({ behavior: { sizeBytes } })).text).toHaveLength(sizeBytes);
    });

    test("rejects a response over the limit", async () => {
      const behavior = { sizeBytes: responseLimitBytes + 1 };
      const error = await failureOf(client.echo({ behavior }));
      expect(error.code).toBe(Code.ResourceExhausted);
    });

    test("returns unimplemented without a handler", async () => {
      expect((await failureOf(client.missing({}))).code).toBe(Code.Unimplemented);
    });
  });

  describe("server streaming", () => {
    test("returns messages in order", async () => {
      const responses = await collect(client.repeat({ text: "r", count: 50 }));
      expect(responses.map(({ index }) => index)).toEqual(Array.from({ length: 50 }, (_, i) => i));
    });

    test("returns many large messages", async () => {
      const behavior = { sizeBytes: 1_000_000 };
      const responses = await collect(client.repeat({ count: 12, behavior }));
      expect(responses.map(({ text }) => text.length)).toEqual(Array(12).fill(1_000_000));
    });

    test("returns an error after messages", async () => {
      const failure = { case: "refuse", value: "o-2" } as const;
      const responses: unknown[] = [];
      const stream = client.repeat({ count: 2, behavior: { failure } });
      const error = await failureOf(collect(stream, responses as never));
      expect(responses).toHaveLength(2);
      expect(error.code).toBe(Code.NotFound);
      expect(errorInfoOf(error)?.metadata).toEqual({ offerId: "o-2" });
    });

    test("aborts a stream at its deadline and stops the handler", async () => {
      const stopped = once(server.events, "stop");
      const failure = { case: "hang", value: true } as const;
      const stream = client.repeat({ count: 1, behavior: { failure } }, { timeoutMs: deadlineMs });
      expect((await failureOf(collect(stream))).code).toBe(Code.DeadlineExceeded);
      await stopped;
    });

    test("stops the handler of a stream that is cancelled", async () => {
      const before = await countAbandoned("Repeat");
      const stopped = once(server.events, "stop");
      const controller = new AbortController();
      server.events.once("hang", () => controller.abort());
      const failure = { case: "hang", value: true } as const;
      const options = { signal: controller.signal, timeoutMs: longMs };
      const error = await failureOf(
        collect(client.repeat({ count: 1, behavior: { failure } }, options)),
      );
      expect(error.code).toBe(Code.Canceled);
      await stopped;
      await vi.waitUntil(async () => (await countAbandoned("Repeat")) > before);
    });

    test("rejects a response message over the limit", async () => {
      const behavior = { sizeBytes: responseLimitBytes + 1 };
      const error = await failureOf(collect(client.repeat({ count: 1, behavior })));
      expect(error.code).toBe(Code.ResourceExhausted);
    });
  });

  describe("client streaming", () => {
    test("receives all messages before it responds", async () => {
      const texts = each({ text: "a" }, { text: "b" }, { text: "c" });
      expect((await client.join(texts)).text).toBe("abc");
    });

    test("returns an error", async () => {
      const failure = { case: "refuse", value: "o-3" } as const;
      const error = await failureOf(client.join(each({ text: "a" }, { behavior: { failure } })));
      expect(error.code).toBe(Code.NotFound);
      expect(errorInfoOf(error)?.metadata).toEqual({ offerId: "o-3" });
    });

    test("rejects a message over the limit", async () => {
      const text = "y".repeat(requestLimitBytes + 1);
      expect((await failureOf(client.join(each({ text })))).code).toBe(Code.ResourceExhausted);
    });
  });

  describe.runIf(bidirectional)("bidirectional streaming", () => {
    test("responds to each message before the next is sent", async () => {
      const received: string[] = [];
      async function* requests() {
        for (const text of ["a", "b", "c"]) {
          const seen = received.length;
          yield { text };
          while (received.length === seen) await new Promise(setImmediate);
        }
      }
      for await (const { text } of client.chat(requests())) received.push(text);
      expect(received).toEqual(["a", "b", "c"]);
    });

    test("returns an error in the middle", async () => {
      const failure = { case: "refuse", value: "o-4" } as const;
      const requests = each({ text: "a" }, { behavior: { failure } }, { text: "never" });
      const error = await failureOf(collect(client.chat(requests)));
      expect(errorInfoOf(error)?.metadata).toEqual({ offerId: "o-4" });
    });

    test("stops the handler of a stream that is cancelled", async () => {
      const stopped = once(server.events, "stop");
      const controller = new AbortController();
      server.events.once("hang", () => controller.abort());
      const failure = { case: "hang", value: true } as const;
      const requests = each({ text: "a", behavior: { failure } });
      const options = { signal: controller.signal, timeoutMs: longMs };
      expect((await failureOf(collect(client.chat(requests, options)))).code).toBe(Code.Canceled);
      await stopped;
    });
  });
}

for (const caller of callers) {
  describeUnlessMissing(caller.name, caller.missing, () => conformanceSuite(caller));
}
