import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = cachedResponses(stack);

const offer = "/offers/full";
const overview = "/offers/full/overview";

test("an import of other items costs an overview no call", async () => {
  await keep(overview);
  stack().services.reset();
  const { catalog } = stack().services.feeds;
  for (let time = 0; time < 100; time++) {
    catalog.commit({ kind: "item", key: [`imported-${time}`], namespace: "attic" });
    expect(await isHit(overview)).toBe(true);
  }
  await settled();
  expect(await isHit(overview)).toBe(true);
  const made = stack().services.calls.filter(({ method }) => method === "getOfferOverview");
  expect(made).toEqual([]);
});

test("however often a response is written to, it is made again about once a second", async () => {
  const { catalog } = stack().services.feeds;
  await keep("/items/item");
  stack().services.reset();
  for (let time = 0; time < 50; time++) {
    catalog.commit({ kind: "item", key: ["item"], namespace: "room" });
    // 2.5 s in all, beside what the test takes.
    passSeconds(0.05);
    await stack().ask("/regions");
    await stack().ask("/items/item");
  }
  const made = stack().services.calls.filter(({ method }) => method === "getItem");
  expect(made.length).toBeGreaterThan(1);
  expect(made.length).toBeLessThan(25);
});

test("a write shows to clients of tRPC within a second", async () => {
  await keep("/items/item");
  stack().services.reset();
  stack().services.feeds.catalog.commit({ kind: "item", key: ["item"], namespace: "room" });
  await expect
    .poll(async () => {
      await stack().ask(`/trpc/catalog.getItem?input=${encodeURIComponent('{"id":"item"}')}`);
      return stack().services.calls.filter(({ method }) => method === "getItem").length;
    })
    .toBe(1);
});

test("a write shows within a second, also while no feed is followed", async () => {
  await keep(offer);
  stack().services.feeds.pricing.interrupt();
  await expect
    .poll(async () => {
      passSeconds(0.81);
      return await isHit(offer);
    })
    .toBe(false);
});

test("a write shows within a second, also while a feed lags behind its log", async () => {
  const { catalog } = stack().services.feeds;
  await keep(offer);
  catalog.heldBack = 1000n;
  await expect
    .poll(async () => {
      catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
      passSeconds(0.81);
      return await isHit(offer);
    })
    .toBe(false);
  catalog.heldBack = 0n;
  catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await keep(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("after an interruption, what was written meanwhile goes and the rest stays", async () => {
  const { catalog } = stack().services.feeds;
  await keep("/offers/bare", offer);
  catalog.interrupt();
  catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  catalog.resume();
  passSeconds(5);
  await expect.poll(() => isHit("/offers/bare")).toBe(true);
  expect(await isHit(offer)).toBe(false);
});

test.for([
  ["shorter", 0],
  ["longer", 1000],
] as const)("nothing is kept of a log that a %s one has taken the place of", async ([, length]) => {
  stack().services.feeds.catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await keep(offer, "/regions");
  stack().services.feeds.catalog.replace(length);
  await expect.poll(() => isHit("/regions"), { interval: 5 }).toBe(false);
  await keep(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("nothing is kept of a history that a restored backup has undone", async () => {
  const { catalog } = stack().services.feeds;
  const before = catalog.length();
  catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  await keep(offer, "/regions");
  catalog.restore(before);
  catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await expect.poll(() => isHit("/regions"), { interval: 5 }).toBe(false);
  await keep(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("a response that a write overtook is given to who waited, and for less than a second", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("getItem", () => promise);
  const waiting = stack().ask("/items/item");
  await vi.waitUntil(() => stack().services.calls.length === 1);
  stack().services.feeds.catalog.commit({ kind: "item", key: ["item"], namespace: "room" });
  await settled();
  passSeconds(1);
  const late = stack().ask("/items/item");
  stack().services.interfere.clear();
  resolve();
  expect((await waiting).status).toBe(200);
  expect((await late).status).toBe(200);
  const made = stack().services.calls.filter(({ method }) => method === "getItem");
  expect(made).toHaveLength(2);
});

test("who asks late is not told of a failure from before", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("getItem", async () => {
    await promise;
    throw new ServiceError({
      code: Code.NotFound,
      reason: ErrorReason.ITEM_NOT_FOUND,
      message: "not yet",
    });
  });
  const early = stack().ask("/items/item");
  await vi.waitUntil(() => stack().services.calls.length === 1);
  passSeconds(1);
  const late = stack().ask("/items/item");
  // By then the gateway has the question.
  await stack().ask("/regions");
  stack().services.interfere.clear();
  resolve();
  expect((await early).status).toBe(404);
  expect((await late).status).toBe(200);
});

test("what was not there is shown within a second of its write", async () => {
  const missing = () =>
    Promise.reject(
      new ServiceError({ code: Code.NotFound, reason: ErrorReason.ITEM_NOT_FOUND, message: "no" }),
    );
  stack().services.interfere.set("getItem", missing);
  expect((await stack().ask("/items/item")).status).toBe(404);
  stack().services.interfere.clear();
  passSeconds(0.81);
  expect((await stack().ask("/items/item")).status).toBe(200);
});

test("a response that several wait for and nobody keeps is private to whom a cookie gave it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  stack().services.interfere.set("batchGetOffers", () => promise);
  const named = stack().ask("/offers/full?country=DE");
  await vi.waitUntil(() => stack().services.calls.length > 0);
  const byCookie = stack().ask(offer, { headers: { cookie: "CATALOG_COUNTRY=DE" } });
  await stack().ask("/regions");
  stack().services.feeds.catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  await settled();
  resolve();
  expect((await named).headers["cache-control"]).toContain("public");
  expect((await byCookie).headers["cache-control"]).toBe("private, max-age=60");
});

/** Waits until the gateway has taken what the catalog has committed. */
async function settled(): Promise<void> {
  await keep("/sandboxes/room");
  stack().services.feeds.catalog.commit({ kind: "sandbox", key: ["room"] });
  await expect.poll(() => isHit("/sandboxes/room"), { interval: 5 }).toBe(false);
}
