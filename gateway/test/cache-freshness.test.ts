import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test, vi } from "vitest";
import { passSeconds } from "./support/clock.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, warm } = cachedResponses(stack);

const offer = "/offers/full";
const overview = "/offers/full/overview";

test("an import of other items causes no call for an overview", async () => {
  await warm(overview);
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

test("a response is renewed about once a second, however often it is written to", async () => {
  const { catalog } = stack().services.feeds;
  await warm("/items/item");
  stack().services.reset();
  for (let time = 0; time < 50; time++) {
    catalog.commit({ kind: "item", key: ["item"], namespace: "room" });
    // 2.5 s in all, plus the duration of the test.
    passSeconds(0.05);
    await stack().ask("/regions");
    await stack().ask("/items/item");
  }
  const made = stack().services.calls.filter(({ method }) => method === "getItem");
  expect(made.length).toBeGreaterThan(1);
  expect(made.length).toBeLessThan(25);
});

test("tRPC clients see a write within a second", async () => {
  await warm("/items/item");
  stack().services.reset();
  stack().services.feeds.catalog.commit({ kind: "item", key: ["item"], namespace: "room" });
  await expect
    .poll(async () => {
      await stack().ask(`/trpc/catalog.getItem?input=${encodeURIComponent('{"id":"item"}')}`);
      return stack().services.calls.filter(({ method }) => method === "getItem").length;
    })
    .toBe(1);
});

test("a write is visible within a second, also while no feed is followed", async () => {
  await warm(offer);
  stack().services.feeds.pricing.interrupt();
  await expect
    .poll(async () => {
      passSeconds(0.81);
      return await isHit(offer);
    })
    .toBe(false);
});

test("a write is visible within a second, also while a feed lags behind its log", async () => {
  const { catalog } = stack().services.feeds;
  await warm(offer);
  catalog.backlog = 1000n;
  await expect
    .poll(async () => {
      catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
      passSeconds(0.81);
      return await isHit(offer);
    })
    .toBe(false);
  catalog.backlog = 0n;
  catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await warm(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("after an interruption, responses that were written to are dropped, and the rest stay cached", async () => {
  const { catalog } = stack().services.feeds;
  await warm("/offers/bare", offer);
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
] as const)("no response of a log survives its replacement by a %s one", async ([, length]) => {
  stack().services.feeds.catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await warm(offer, "/regions");
  stack().services.feeds.catalog.replace(length);
  await expect.poll(() => isHit("/regions"), { interval: 5 }).toBe(false);
  await warm(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("no response of a history survives the restored backup that undid it", async () => {
  const { catalog } = stack().services.feeds;
  const before = catalog.length();
  catalog.commit({ kind: "offer", key: ["full"], namespace: "room" });
  await warm(offer, "/regions");
  catalog.restore(before);
  catalog.commit({ kind: "sandbox", key: ["elsewhere"] });
  await expect.poll(() => isHit("/regions"), { interval: 5 }).toBe(false);
  await warm(offer);
  passSeconds(5);
  expect(await isHit(offer)).toBe(true);
});

test("a response that a write overtook is sent to waiting clients, and shared for less than a second", async () => {
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

test("a late request does not get an earlier failure", async () => {
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
  // By then the gateway has received the late request.
  await stack().ask("/regions");
  stack().services.interfere.clear();
  resolve();
  expect((await early).status).toBe(404);
  expect((await late).status).toBe(200);
});

test("a missing record is served within a second of its write", async () => {
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

test("a shared response that is not cached is private to the client whose cookie it depends on", async () => {
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

/** Waits until the gateway has read the commits of the catalog. */
async function settled(): Promise<void> {
  await warm("/sandboxes/room");
  stack().services.feeds.catalog.commit({ kind: "sandbox", key: ["room"] });
  await expect.poll(() => isHit("/sandboxes/room"), { interval: 5 }).toBe(false);
}
