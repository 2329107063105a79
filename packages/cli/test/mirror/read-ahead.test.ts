import { expect, it } from "vitest";
import { readAhead } from "../../src/mirror/changes.ts";

it("gives everything in order, what came meanwhile together, and reads no further than it may", async () => {
  let given = 0;
  async function* numbers() {
    for (; given < 100; given++) yield await Promise.resolve([given]);
  }
  const seen: number[] = [];
  let most = 0;
  for await (const some of readAhead(numbers(), 10)) {
    seen.push(...some);
    most = Math.max(most, some.length);
    // Time for all that the source may give.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(given - seen.length).toBeLessThanOrEqual(11);
  }
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(most).toBeGreaterThan(1);
});

it("gives what came before the source failed, then fails", async () => {
  async function* failing() {
    yield await Promise.resolve([1, 2]);
    throw new Error("broken");
  }
  const seen: number[] = [];
  const read = async () => {
    for await (const some of readAhead(failing(), 10)) seen.push(...some);
  };
  await expect(read()).rejects.toThrow("broken");
  expect(seen).toEqual([1, 2]);
});
