import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sampled } from "../index.ts";

test("gives what is read, and reads once for all who ask at a time", async () => {
  let reads = 0;
  const value = sampled(() => Promise.resolve(++reads));
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(2);
});

test("waits for a slow first value, so that no page lacks it", async () => {
  const value = sampled(() => sleep(200, "first"));
  expect(await value()).toBe("first");
});

test("waits for no later value: one that is late is the one before", async () => {
  const late = Promise.withResolvers<string>();
  const values = [Promise.resolve("first"), late.promise];
  const value = sampled(() => values.shift() ?? late.promise);
  expect(await value()).toBe("first");
  expect(await value()).toBe("first");
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
