import { readMetrics, sumOf } from "@storefront/testkit";
import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { records } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, warm } = cachedResponses(stack);
const offer = "/offers/full";

test("while a service is unavailable its cached responses are served, however old, with their age", async () => {
  await warm(offer);
  const down = () => Promise.reject(new Error("down"));
  stack().services.feeds.catalog.interrupt();
  for (const method of ["batchGetOffers", "batchGetPrices"]) {
    stack().services.interfere.set(method, down);
  }
  passSeconds(500);
  const { status, headers } = await stack().ask(offer);
  expect(status).toBe(200);
  expect(Number(headers["age"])).toBeGreaterThanOrEqual(500);
  // Not every request calls the service again.
  const calls = stack().services.calls.length;
  expect((await stack().ask(offer)).status).toBe(200);
  expect(stack().services.calls).toHaveLength(calls);
  expect((await stack().ask("/offers/bare")).status).toBe(502);
});

const priced = { price: expect.objectContaining({ region: "US" }) as unknown };
const stopped = () => Promise.reject(new Error("down"));

test.for(["stopped", "hung"] as const)(
  "while pricing is %s, a cached response with its price is preferred to a new one without",
  async (how) => {
    const others = ["/offers/bare", "/sandboxes/room/offers"];
    await warm(offer, ...others);
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const hung = () => end;
    stack().services.interfere.set("batchGetPrices", how === "hung" ? hung : stopped);
    stack().services.feeds.pricing.interrupt();
    await vi.waitUntil(() => stack().services.feeds.pricing.watching === 0);
    passSeconds(5);
    for (let time = 0; time < 5; time++) {
      const { json, headers } = await stack().ask(offer);
      expect(json).toMatchObject(priced);
      expect(headers).not.toHaveProperty("catalog-degraded");
    }
    // The outage is known by now: other requests do not wait, and few of them call the catalog.
    for (const path of [...others, ...others]) expect(await isHit(path)).toBe(true);
    stack().services.reset();
    for (let time = 0; time < 20; time++) expect(await isHit(offer)).toBe(true);
    expect(stack().services.calls.length).toBeLessThan(4);
    resolve();
  },
);

const pricedPaths = ["US", "DE", "FR", "JP", "BR", "GB"].map((code) => `${offer}?country=${code}`);

test("only two cached responses with a price are retried per second while pricing is unavailable", async () => {
  await warm(...pricedPaths);
  const { feeds, interfere, calls } = stack().services;
  interfere.set("batchGetPrices", stopped);
  feeds.pricing.interrupt();
  await vi.waitUntil(() => feeds.pricing.watching === 0);
  passSeconds(5);
  const countBefore = calls.length;
  const startedMs = performance.now();
  for (let time = 0; time < 4; time++) {
    for (const path of pricedPaths) expect(await isHit(path)).toBe(true);
    passSeconds(1);
  }
  const seconds = (performance.now() - startedMs) / 1000;
  const tries = calls.slice(countBefore).filter(({ method }) => method === "batchGetOffers");
  expect(tries.length).toBeGreaterThan(1);
  expect(tries.length).toBeLessThan(2 + 2 * seconds);
});

test("a cached response does not replace one without a price once a write has touched it", async () => {
  await warm(offer);
  stack().services.interfere.set("batchGetPrices", stopped);
  stack().services.feeds.pricing.interrupt();
  stack().services.feeds.catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  await expect
    .poll(async () => (await stack().ask(offer)).headers["catalog-degraded"], { interval: 5 })
    .toBe("pricing");
});

test("when pricing recovers, its first fresh response is served within two seconds", async () => {
  await warm(offer);
  const { feeds, interfere } = stack().services;
  interfere.set("batchGetPrices", stopped);
  feeds.pricing.interrupt();
  await vi.waitUntil(() => feeds.pricing.watching === 0);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
  interfere.clear();
  passSeconds(1);
  expect(await isHit(offer)).toBe(true);
  await expect.poll(async () => Number((await stack().ask(offer)).headers["age"])).toBe(0);
});

/** Waits until the gateway has noticed, which is after the service has begun or ended its watch. */
async function untilPricingIs(what: "unavailable" | "followed"): Promise<void> {
  const isFollowed = async () =>
    sumOf(await readMetrics(stack().metricsUrl), "feed_connected", { feed: "pricing" }) === 1;
  await expect.poll(isFollowed).toBe(what === "followed");
}

test.for([
  ["a minute", 61],
  ["five and a half minutes", 330],
  ["ten minutes", 600],
] as const)(
  "when pricing recovers after %s, responses that outlasted the outage are not all renewed at once",
  async ([, seconds]) => {
    await warm(...pricedPaths);
    const { feeds, interfere, calls } = stack().services;
    interfere.set("batchGetPrices", stopped);
    feeds.pricing.interrupt();
    await untilPricingIs("unavailable");
    passSeconds(seconds);
    for (const path of pricedPaths) expect(await isHit(path)).toBe(true);
    interfere.clear();
    feeds.pricing.resume();
    await untilPricingIs("followed");
    const countBefore = calls.length;
    for (let time = 0; time < 3; time++) {
      for (const path of pricedPaths) expect(await isHit(path)).toBe(true);
      passSeconds(1);
    }
    const made = calls.slice(countBefore).filter(({ method }) => method === "batchGetOffers");
    expect(made.length).toBeLessThan(pricedPaths.length);
    passSeconds(61);
    for (const path of pricedPaths) expect(await isHit(path)).toBe(true);
    const ageOf = async (path: string) => Number((await stack().ask(path)).headers["age"]);
    for (const path of pricedPaths) await expect.poll(() => ageOf(path)).toBeLessThan(5);
  },
);

test("a response made by REST replaces one of tRPC while its service is unavailable", async () => {
  await warm(offer);
  const { feeds, interfere } = stack().services;
  for (const method of ["batchGetOffers", "batchGetPrices"]) interfere.set(method, stopped);
  feeds.catalog.interrupt();
  await vi.waitUntil(() => feeds.catalog.watching === 0);
  passSeconds(500);
  const input = encodeURIComponent('{"id":"full"}');
  const { status } = await stack().ask(`/trpc/catalog.getOffer?input=${input}`);
  expect(status).toBe(200);
});

test("giveaways are cached until the next one begins or ends, and no longer", async () => {
  const paths = ["/free-games", "/free-games/mobile", "/free-games/sellers"];
  records.giveawayValidity.validForMs = 10_000n;
  for (const path of paths) {
    await warm(path);
    passSeconds(3);
    expect([path, await isHit(path)]).toEqual([path, true]);
    passSeconds(7);
    expect([path, await isHit(path)]).toEqual([path, false]);
  }
  delete records.giveawayValidity.validForMs;
});

test("giveaways are cached for less than a second if pricing does not report their validity", async () => {
  await stack().ask("/free-games/mobile");
  passSeconds(1);
  expect(await isHit("/free-games/mobile")).toBe(false);
});

test("after a minute a response is served once more while a new one is made", async () => {
  await warm(offer);
  stack().services.reset();
  passSeconds(61);
  const { headers } = await stack().ask(offer);
  expect(Number(headers["age"])).toBeGreaterThanOrEqual(60);
  await expect.poll(async () => Number((await stack().ask(offer)).headers["age"])).toBeLessThan(60);
  const made = stack().services.calls.filter(({ method }) => method === "batchGetOffers");
  expect(made).toHaveLength(1);
});

test("of responses that become stale together, only some are renewed at a time", async () => {
  const paths = Array.from(
    { length: 40 },
    (_none, index) => `/sandboxes/room/offers?page=${index + 1}`,
  );
  await warm(...paths);
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
  ["cannot be renewed", "/items", "listItems"],
  ["lacks a part when it is renewed", "/offers/bare", "batchGetPrices"],
] as const)(
  "a response that %s is still served, and not retried by every request",
  async ([, path, method]) => {
    await warm(path);
    stack().services.reset();
    stack().services.interfere.set(method, () => Promise.reject(new Error("broken")));
    passSeconds(61);
    const tries = () => stack().services.calls.filter((call) => call.method === method).length;
    expect(await isHit(path)).toBe(true);
    await vi.waitUntil(() => tries() > 0);
    const startedMs = performance.now();
    for (let time = 0; time < 30; time++) expect(await isHit(path)).toBe(true);
    // One a second, however long the requests take on a busy machine.
    const seconds = (performance.now() - startedMs) / 1000;
    expect(tries()).toBeLessThan(Math.min(3 + seconds, 30));
  },
);
