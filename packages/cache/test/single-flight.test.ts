import { expect, test } from "vitest";
import { SingleFlight } from "../src/index.ts";

test("work for one key is done once for all who ask meanwhile, and again for who asks later", async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  const ask = () => flights.run("key", () => Promise.resolve(++runs));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});

test("work for different keys is done side by side", async () => {
  const flights = new SingleFlight<string>();
  const ask = (key: string) => flights.run(key, () => Promise.resolve(key));
  expect(await Promise.all([ask("a"), ask("b")])).toEqual(["a", "b"]);
});

test("a failure is everyone's who waits, and is not remembered", async () => {
  const flights = new SingleFlight<number>();
  const failing = () => flights.run("key", () => Promise.reject(new RangeError("no")));
  const outcomes = await Promise.allSettled([failing(), failing()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.run("key", () => Promise.resolve(1))).toBe(1);
});
