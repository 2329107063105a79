import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { LiveGeneration } from "./live-generation.ts";

const missing = new Error("no such table");

/** Generations that take each other's place at each look. */
function changing(generations: number[]): LiveGeneration {
  return new LiveGeneration({
    read: async () => generations.shift(),
    write: async () => undefined,
    isMissing: (error) => error === missing,
  });
}

it("asks the newer generation however often it changes meanwhile", async () => {
  const live = changing([1, 2, 3]);
  const answer = await live.ask(async (generation) => {
    if (generation < 3) throw missing;
    return `of ${generation}`;
  });
  expect(answer).toBe("of 3");
});

it("says that the index is unavailable when the generation is gone and there is no newer one", async () => {
  const answer = changing([1, 1]).ask(async () => {
    throw missing;
  });
  await expect(answer).rejects.toMatchObject({ code: Code.Unavailable });
});
