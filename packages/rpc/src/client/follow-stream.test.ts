import { ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { Backoff } from "./backoff.ts";
import { followStream, readStream } from "./follow-stream.ts";

/** Yields numbers, then nothing until its signal aborts. */
async function* silentAfter(numbers: readonly number[], { signal }: CallOptions) {
  yield* numbers;
  await new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

const { signal } = new AbortController();

test.for([{ numbers: [] }, { numbers: [1, 2] }])(
  "a call that is silent after $numbers is ended",
  async ({ numbers }) => {
    const seen: number[] = [];
    const read = async () => {
      const open = (call: CallOptions) => silentAfter(numbers, call);
      const messages = readStream({ open, silenceLimitMs: 50, signal });
      for await (const number of messages) seen.push(number);
    };
    await expect(read()).rejects.toThrow(ConnectError);
    expect(seen).toEqual(numbers);
  },
);

test("a stream that ends, fails or falls silent is reopened after the last message, until onBreak stops it", async () => {
  const breaks: unknown[] = [];
  const seen: number[] = [];
  const messages = followStream({
    async *open(call) {
      const next = (seen.at(-1) ?? 0) + 1;
      if (breaks.length === 0) yield next;
      else if (breaks.length === 1) throw new RangeError("broken");
      else yield* silentAfter([next, next + 1], call);
    },
    silenceLimitMs: 50,
    signal,
    backoff: new Backoff(1, 2),
    onBreak: (error) => breaks.push(error) < 3,
  });
  for await (const number of messages) seen.push(number);
  expect(seen).toEqual([1, 2, 3]);
  expect(breaks).toEqual([undefined, expect.any(RangeError), expect.any(ConnectError)]);
});

test("a stream ends with its signal, also while it waits to reopen", async () => {
  const ending = new AbortController();
  const messages = followStream({
    async *open() {
      yield 1;
    },
    signal: ending.signal,
    backoff: new Backoff(60_000, 60_000),
    onBreak: () => true,
  });
  expect(await messages.next()).toMatchObject({ value: 1 });
  const next = messages.next();
  ending.abort();
  expect(await next).toMatchObject({ done: true });
});

test("a wait that is skipped, before or during it, ends at once", async () => {
  const backoff = new Backoff(60_000, 60_000);
  backoff.skip();
  await backoff.wait(signal);
  const waiting = backoff.wait(signal);
  backoff.skip();
  expect(await waiting).toBeUndefined();
});
