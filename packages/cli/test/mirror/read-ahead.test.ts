import { expect, it } from "vitest";
import { readAhead } from "../../src/mirror/changes.ts";

it("yields all items in order, those that arrived meanwhile together, and reads ahead up to its limit", async () => {
  let count = 0;
  async function* numbers() {
    for (; count < 100; count++) yield await Promise.resolve([count]);
  }
  const seen: number[] = [];
  let most = 0;
  for await (const some of readAhead(numbers(), 10)) {
    seen.push(...some);
    most = Math.max(most, some.length);
    // Time for the source to yield up to the limit.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(count - seen.length).toBeLessThanOrEqual(11);
  }
  expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index));
  expect(most).toBeGreaterThan(1);
});

it("yields the items before the failure of the source, then fails", async () => {
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
