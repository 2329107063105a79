import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { asFollower, asWriter, isImporting } from "./pace.ts";

/** Follower steps that end when `end` is called. */
function followerSteps(count: number, lagSeconds = 0) {
  const steps = Array.from({ length: count }, () => Promise.withResolvers<void>());
  const state = { running: 0, mostAtOnce: 0, ended: 0 };
  const done = Promise.all(
    steps.map((step) =>
      asFollower(lagSeconds, async () => {
        state.running += 1;
        state.mostAtOnce = Math.max(state.mostAtOnce, state.running);
        await step.promise;
        state.running -= 1;
        state.ended += 1;
        return { result: undefined, busyMs: 0 };
      }),
    ),
  );
  return { state, done, end: () => steps.forEach((step) => step.resolve()) };
}

/** Runs `work` while a batch of this many observations is applied, until the import ends. */
async function duringImport(observations: number, work: () => Promise<void>): Promise<void> {
  const batch = Promise.withResolvers<void>();
  const written = asWriter(observations, () => batch.promise);
  try {
    await work();
  } finally {
    batch.resolve();
    await written;
    await vi.waitUntil(() => !isImporting());
  }
}

describe("followers during an import of their process", () => {
  it("take one step at a time", async () => {
    await duringImport(500, async () => {
      const { state, done, end } = followerSteps(3);
      await vi.waitUntil(() => state.running > 0);
      end();
      await done;
      expect(state).toEqual({ running: 0, mostAtOnce: 1, ended: 3 });
    });
  });

  it("continue when one fails", async () => {
    await duringImport(500, async () => {
      const failed = asFollower(0, () => Promise.reject(new Error("broken")));
      const next = asFollower(0, () => Promise.resolve({ result: "applied", busyMs: 0 }));
      await expect(failed).rejects.toThrow("broken");
      await expect(next).resolves.toMatchObject({ result: "applied" });
    });
  });

  it.each<[when: string, observations: number, lagSeconds: number]>([
    ["single records are written", 1, 0],
    ["they are far behind", 500, 60],
  ])("do not wait for each other when %s", async (_when, observations, lagSeconds) => {
    await duringImport(observations, async () => {
      const { state, done, end } = followerSteps(3, lagSeconds);
      await setImmediate();
      expect(state.running).toBe(3);
      end();
      await done;
    });
  });
});
