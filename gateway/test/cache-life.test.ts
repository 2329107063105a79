import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { keptAnswers } from "./support/kept-answers.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = keptAnswers(stack);
const offer = "/offers/full";

test("while a service is away its answers stand in, however old, and say so", async () => {
  await keep(offer);
  const down = () => Promise.reject(new Error("down"));
  stack().services.feeds.catalog.interrupt();
  for (const method of ["batchGetOffers", "batchGetPrices"]) {
    stack().services.interfere.set(method, down);
  }
  passSeconds(500);
  const { status, headers } = await stack().ask(offer);
  expect(status).toBe(200);
  expect(Number(headers["age"])).toBeGreaterThanOrEqual(500);
  // It is not asked again by everyone who comes.
  const calls = stack().services.calls.length;
  expect((await stack().ask(offer)).status).toBe(200);
  expect(stack().services.calls).toHaveLength(calls);
  expect((await stack().ask("/offers/bare")).status).toBe(502);
});

test("a minute later an answer is given once more while a new one is made", async () => {
  await keep(offer);
  stack().services.reset();
  passSeconds(61);
  const { headers } = await stack().ask(offer);
  expect(Number(headers["age"])).toBeGreaterThanOrEqual(60);
  await expect.poll(async () => Number((await stack().ask(offer)).headers["age"])).toBeLessThan(60);
  const made = stack().services.calls.filter(({ method }) => method === "batchGetOffers");
  expect(made).toHaveLength(1);
});

test("of answers that grow stale together, only some are made anew at a time", async () => {
  const paths = Array.from(
    { length: 40 },
    (_none, index) => `/sandboxes/room/offers?page=${index + 1}`,
  );
  await keep(...paths);
  stack().services.reset();
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("listSandboxOffers", () => promise);
  passSeconds(61);
  for (const path of paths) expect([path, await isHit(path)]).toEqual([path, true]);
  await vi.waitUntil(() => stack().services.calls.length >= 32);
  expect(stack().services.calls).toHaveLength(32);
  resolve();
  const isFresh = async (path: string) => Number((await stack().ask(path)).headers["age"]) < 60;
  for (const path of paths) await expect.poll(() => isFresh(path)).toBe(true);
});

test.for([
  ["cannot be made anew", "/items", "listItems"],
  ["lacks a part when it is made anew", "/offers/bare", "batchGetPrices"],
] as const)(
  "an answer that %s is given on, and not tried by everyone",
  async ([, path, method]) => {
    await keep(path);
    stack().services.reset();
    stack().services.interfere.set(method, () => Promise.reject(new Error("broken")));
    passSeconds(61);
    const tries = () => stack().services.calls.filter((call) => call.method === method).length;
    expect(await isHit(path)).toBe(true);
    await vi.waitUntil(() => tries() > 0);
    for (let time = 0; time < 30; time++) expect(await isHit(path)).toBe(true);
    expect(tries()).toBeLessThan(3);
  },
);
