import { expect, test, vi } from "vitest";
import { SingleFlight } from "../src/index.ts";

test("work for one key is done once for all who ask meanwhile, and again for who asks later", async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  const ask = () => flights.run("key", undefined, () => Promise.resolve(++runs));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});

test("work for different keys is done side by side", async () => {
  const flights = new SingleFlight<string>();
  const ask = (key: string) => flights.run(key, undefined, () => Promise.resolve(key));
  expect(await Promise.all([ask("a"), ask("b")])).toEqual(["a", "b"]);
});

test("a failure is everyone's who waits, and is not remembered", async () => {
  const flights = new SingleFlight<number>();
  const failing = () => flights.run("key", undefined, () => Promise.reject(new RangeError("no")));
  const outcomes = await Promise.allSettled([failing(), failing()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.run("key", undefined, () => Promise.resolve(1))).toBe(1);
});

test("work is given up when the last who asked has left, and then done anew for who comes", async () => {
  const flights = new SingleFlight<string>();
  const works: AbortSignal[] = [];
  const ask = (asker: AbortController) =>
    flights.run("key", asker.signal, async (signal) => {
      works.push(signal);
      await vi.waitUntil(() => signal.aborted);
      return "given up";
    });
  const [first, second, third] = [1, 2, 3].map(() => new AbortController());
  if (first === undefined || second === undefined || third === undefined) throw new Error("none");
  const joined = [ask(first), ask(second)];
  first.abort();
  expect(works.map(({ aborted }) => aborted)).toEqual([false]);
  second.abort();
  expect(works.map(({ aborted }) => aborted)).toEqual([true]);
  const anew = ask(third);
  await Promise.all(joined);
  // What has ended is not what is under way.
  const alsoAnew = ask(third);
  expect(works.map(({ aborted }) => aborted)).toEqual([true, false]);
  third.abort();
  expect(await Promise.all([anew, alsoAnew])).toEqual(["given up", "given up"]);
});
