import { expect, test, vi } from "vitest";
import { SingleFlight } from "../src/upstream/single-flight.ts";

const joinableMs = 800;
const waiting = (signal?: AbortSignal, waitsMs = 60_000) => ({
  signal,
  deadlineAt: performance.now() + waitsMs,
});

test("work for one key is done once for all who ask meanwhile, and again for who asks later", async () => {
  const flights = new SingleFlight<number>(joinableMs);
  let runs = 0;
  const ask = () => flights.run("key", waiting(), () => Promise.resolve(++runs));
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect(await ask()).toBe(2);
});

test("work for different keys is done side by side", async () => {
  const flights = new SingleFlight<string>(joinableMs);
  const ask = (key: string) => flights.run(key, waiting(), () => Promise.resolve(key));
  expect(await Promise.all([ask("a"), ask("b")])).toEqual(["a", "b"]);
});

test("a failure is everyone's who waits, and is not remembered", async () => {
  const flights = new SingleFlight<number>(joinableMs);
  const failing = () => flights.run("key", waiting(), () => Promise.reject(new RangeError("no")));
  const outcomes = await Promise.allSettled([failing(), failing()]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await flights.run("key", waiting(), () => Promise.resolve(1))).toBe(1);
});

test("work is given up when the last who asked has left, and then done anew for who comes", async () => {
  const flights = new SingleFlight<string>(joinableMs);
  const works: AbortSignal[] = [];
  const ask = (asker: AbortController) =>
    flights.run("key", waiting(asker.signal), async ({ signal }) => {
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

test("who comes late begins again, and those who joined before still wait for the same", async () => {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const flights = new SingleFlight<string>(joinableMs);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const ask = ({ promise }: typeof first) => flights.run("key", waiting(), () => promise);
  const early = [ask(first), ask(second)];
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + joinableMs + 1);
  const late = [ask(second), ask(first)];
  second.resolve("second");
  expect(await Promise.all(late)).toEqual(["second", "second"]);
  first.resolve("first");
  expect(await Promise.all(early)).toEqual(["first", "first"]);
});

test("each waits until its own deadline, and the work may take as long as the latest who can join", async () => {
  vi.spyOn(performance, "now").mockReturnValue(performance.now());
  const flights = new SingleFlight<number>(joinableMs);
  const { promise, resolve } = Promise.withResolvers<number>();
  const work = vi.fn<(limits: { deadlineAt: number }) => Promise<number>>(() => promise);
  const first = flights.run("key", waiting(undefined, 1), work);
  const joined = flights.run("key", waiting(), work);
  await expect(first).rejects.toMatchObject({ code: "GATEWAY_TIMEOUT" });
  resolve(1);
  expect(await joined).toBe(1);
  expect(work).toHaveBeenCalledOnce();
  const [[limits] = []] = work.mock.calls;
  expect(limits?.deadlineAt).toBe(performance.now() + 1 + joinableMs);
});
