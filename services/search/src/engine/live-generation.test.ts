import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { LiveGeneration } from "./live-generation.ts";

const missing = new Error("no such table");

/** Generations that replace each other at each read. */
function changing(generations: number[]): LiveGeneration {
  return new LiveGeneration({
    read: async () => generations.shift(),
    write: async () => undefined,
    isMissing: (error) => error === missing,
  });
}

it("uses the newer generation however often it changes meanwhile", async () => {
  const live = changing([1, 2, 3]);
  const response = await live.ask(async (generation) => {
    if (generation < 3) throw missing;
    return `of ${generation}`;
  });
  expect(response).toBe("of 3");
});

it("reports an unavailable index when the generation is missing and there is no newer one", async () => {
  const response = changing([1, 1]).ask(async () => {
    throw missing;
  });
  await expect(response).rejects.toMatchObject({ code: Code.Unavailable });
});
