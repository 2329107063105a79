import { expect, test } from "vitest";
import { sampled } from "./index.ts";

test("gives what is read, and reads once for all who ask at a time", async () => {
  let reads = 0;
  const value = sampled(() => Promise.resolve(++reads));
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(2);
});

test("waits for nobody: a value that is late is the one before, and undefined before the first", async () => {
  const late = Promise.withResolvers<string>();
  const value = sampled(() => late.promise);
  expect(await value()).toBeUndefined();
  late.resolve("late");
  expect(await value()).toBe("late");
});

test("knows nothing of what cannot be read", async () => {
  let isAway = false;
  const value = sampled(() => (isAway ? Promise.reject(new Error("away")) : Promise.resolve(1)));
  expect(await value()).toBe(1);
  isAway = true;
  expect(await value()).toBeUndefined();
});
