import { expect, vi } from "vitest";
import { passSeconds } from "./clock.ts";
import type { TestStack } from "./start-stack.ts";

/** Looks at what the cache of a stack keeps. */
export function cachedResponses(stack: () => TestStack) {
  const isHit = async (path: string): Promise<boolean> => {
    const { headers, status } = await stack().ask(path);
    expect(status).toBe(200);
    return headers["age"] !== undefined;
  };

  /** Asks until a response is kept that every feed vouches for. */
  async function keep(...paths: string[]): Promise<void> {
    for (const path of paths) {
      await vi.waitUntil(async () => {
        await isHit(path);
        passSeconds(1);
        return await isHit(path);
      });
    }
  }

  return { isHit, keep };
}
