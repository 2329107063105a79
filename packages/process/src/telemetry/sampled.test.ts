import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { sampled } from "../index.ts";

test("returns the value that is read, once for concurrent calls", async () => {
  let reads = 0;
  const value = sampled(() => Promise.resolve(++reads));
  expect(await Promise.all([value(), value()])).toEqual([1, 1]);
  expect(await value()).toBe(2);
});

test("waits for a slow first value, so that no page lacks it", async () => {
  const value = sampled(() => sleep(200, "first"));
  expect(await value()).toBe("first");
});

test("does not wait for a slow later value: it returns the previous one", async () => {
  const late = Promise.withResolvers<string>();
  const values = [Promise.resolve("first"), late.promise];
  const value = sampled(() => values.shift() ?? late.promise);
  expect(await value()).toBe("first");
  expect(await value()).toBe("first");
  late.resolve("late");
  expect(await value()).toBe("late");
});

test("returns undefined when the read fails", async () => {
  let isDown = false;
  const value = sampled(() => (isDown ? Promise.reject(new Error("down")) : Promise.resolve(1)));
  expect(await value()).toBe(1);
  isDown = true;
  expect(await value()).toBeUndefined();
});
