import { ConnectError } from "@connectrpc/connect";
import type { CallOptions } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { watched } from "./watched.ts";

/** Gives numbers, then nothing more until its signal ends it. */
async function* silentAfter(numbers: readonly number[], { signal }: CallOptions) {
  yield* numbers;
  await new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

test.for([{ numbers: [] }, { numbers: [1, 2] }])(
  "a call that is silent after $numbers is given up",
  async ({ numbers }) => {
    const seen: number[] = [];
    const { signal } = new AbortController();
    const read = async () => {
      const waits = { openTimeoutMs: 50, silenceLimitMs: 50 };
      const messages = watched((call) => silentAfter(numbers, call), { ...waits, signal });
      for await (const number of messages) seen.push(number);
    };
    await expect(read()).rejects.toThrow(ConnectError);
    expect(seen).toEqual(numbers);
  },
);
