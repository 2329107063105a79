import { expect, vi } from "vitest";
import type { AskOptions } from "./http-client.ts";
import type { TestStack } from "./start-stack.ts";

/** Holds the calls of a method until they are given up or let go; gives those that were begun. */
export function hold({ services }: TestStack, method: string) {
  const released = Promise.withResolvers<void>();
  const begun = () => services.calls.filter((call) => call.method === method);
  services.interfere.set(method, async () => {
    const signal = begun().at(-1)?.signal;
    const givenUp = vi.waitUntil(() => signal?.aborted, { timeout: 10_000 });
    await Promise.race([released.promise, givenUp]);
  });
  return { begun, release: () => released.resolve() };
}

/** Asks until it is told to leave. */
export function askAndLeave(stackOfTest: TestStack, path: string, options: AskOptions = {}) {
  const controller = new AbortController();
  const response = stackOfTest.ask(path, { ...options, signal: controller.signal });
  return {
    leave: async () => {
      controller.abort();
      await expect(response).rejects.toThrow("aborted");
    },
  };
}
