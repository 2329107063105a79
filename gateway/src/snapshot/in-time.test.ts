import { ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { inTime } from "./in-time.ts";

/** Gives numbers, then nothing more until its signal ends it. */
async function* silentAfter(numbers: readonly number[], signal: AbortSignal) {
  yield* numbers;
  await new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

test.for([{ numbers: [] }, { numbers: [1, 2] }])(
  "a call that is silent after $numbers is given up",
  async ({ numbers }) => {
    const seen: number[] = [];
    const { signal } = new AbortController();
    const read = async () => {
      const open = (ended: AbortSignal) => silentAfter(numbers, ended);
      const messages = inTime(open, { firstMs: 50, nextMs: 50 }, signal);
      for await (const number of messages) seen.push(number);
    };
    await expect(read()).rejects.toThrow(ConnectError);
    expect(seen).toEqual(numbers);
  },
);
