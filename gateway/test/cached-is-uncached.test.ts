import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { HttpResponse } from "./support/http-client.ts";
import { randomCall } from "./support/random-call.ts";
import type { Call } from "./support/random-call.ts";
import { useCachingStack, useStack } from "./support/start-stack.ts";
import type { TestStack } from "./support/start-stack.ts";

/** Number of calls to try: by default as many as take a few seconds. */
const calls = Number(process.env["TEST_SAME_RESPONSE_CALLS"] ?? 100);

/** Time for each of them on a busy machine, in milliseconds. */
const callTimeoutMs = 500;

const caching = useCachingStack();
const uncached = useStack();

test(
  "every call has the same result by REST and tRPC, alone and in a batch, cached and uncached",
  { timeout: 10_000 + calls * callTimeoutMs },
  async () => {
    let found = 0;
    const property = fc.asyncProperty(randomCall, async (call) => {
      const plain = await byRest(uncached(), call);
      if (plain.status === 200) found += 1;
      for (const ask of [byRest, byTrpc, inBatch]) {
        expect(await ask(caching(), call)).toEqual(plain);
      }
      expect(await byTrpc(uncached(), call)).toEqual(plain);
    });
    await fc.assert(property, { numRuns: calls });
    expect(found).toBeGreaterThan(calls / 10);
  },
);

/** The result of a call, in a form that all surfaces share. */
interface Result {
  status: number;
  data?: unknown;
  message?: unknown;
  error?: unknown;
}

async function byRest(stack: TestStack, { rest }: Call): Promise<Result> {
  const { status, json } = await stack.ask(rest.path, rest.options);
  return status === 200 ? { status, data: withoutTiming(json) } : { status, ...Object(json) };
}

async function byTrpc(stack: TestStack, { procedure, input, country }: Call): Promise<Result> {
  const sent = encodeURIComponent(JSON.stringify(input));
  const response = await askFrom(stack, `/trpc/${procedure}?input=${sent}`, country);
  return resultOf(response.json);
}

async function inBatch(stack: TestStack, { procedure, input, country }: Call): Promise<Result> {
  const sent = encodeURIComponent(JSON.stringify({ 0: input, 1: input }));
  const path = `/trpc/${procedure},${procedure}?batch=1&input=${sent}`;
  const { json } = await askFrom(stack, path, country);
  const [one, other] = json as [unknown, unknown];
  expect(resultOf(other)).toEqual(resultOf(one));
  return resultOf(one);
}

function askFrom(
  stack: TestStack,
  path: string,
  country: string | undefined,
): Promise<HttpResponse> {
  const headers = country === undefined ? {} : { cookie: `CATALOG_COUNTRY=${country}` };
  return stack.ask(path, { headers });
}

interface TrpcResponse {
  result?: { data: unknown };
  error?: { message: string; data: { httpStatus: number; error: string } };
}

function resultOf(response: unknown): Result {
  const { result, error } = response as TrpcResponse;
  if (error === undefined) return { status: 200, data: withoutTiming(result?.data) };
  return { status: error.data.httpStatus, message: error.message, error: error.data.error };
}

// A search says how long it took, and whether it came from a cache.
function withoutTiming(data: unknown): unknown {
  if (typeof data !== "object" || data === null) return data;
  if ("processingTimeMs" in data) return { ...data, processingTimeMs: 0 };
  if (!("meta" in data)) return data;
  return { ...data, meta: { ...Object(data.meta), cached: false, ms: 0 } };
}
