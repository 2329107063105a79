import { expect, vi } from "vitest";
import { passSeconds } from "./clock.ts";
import type { TestStack } from "./start-stack.ts";

/** Fills and checks the response cache of a stack. */
export function cachedResponses(stack: () => TestStack) {
  const isHit = async (path: string): Promise<boolean> => {
    const { headers, status } = await stack().ask(path);
    expect(status).toBe(200);
    return headers["age"] !== undefined;
  };

  /** Repeats requests until the cache has responses that every feed vouches for. */
  async function warm(...paths: string[]): Promise<void> {
    for (const path of paths) {
      await vi.waitUntil(async () => {
        await isHit(path);
        passSeconds(1);
        return await isHit(path);
      });
    }
  }

  return { isHit, warm };
}
