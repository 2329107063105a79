import { expect, vi } from "vitest";
import type { AskOptions } from "./http-client.ts";
import type { TestStack } from "./start-stack.ts";

/** Blocks the calls of a method until they are aborted or released; `begun` returns those so far. */
export function hold({ services }: TestStack, method: string) {
  const released = Promise.withResolvers<void>();
  const begun = () => services.calls.filter((call) => call.method === method);
  services.interfere.set(method, async () => {
    const signal = begun().at(-1)?.signal;
    const aborted = vi.waitUntil(() => signal?.aborted, { timeout: 10_000 });
    await Promise.race([released.promise, aborted]);
  });
  return { begun, release: () => released.resolve() };
}

/** Sends a request, which `leave` aborts. */
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
