import { create } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { expect, test, vi } from "vitest";
import type { FeedName } from "../src/tags/feed-name.ts";
import { passSeconds } from "./support/clock.ts";
import { keptAnswers } from "./support/kept-answers.ts";
import { value } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, keep } = keptAnswers(stack);

type Write = MessageInitShape<typeof FeedEntrySchema>;

function record<Desc extends DescMessage>(schema: Desc, init: MessageInitShape<Desc>) {
  return { record: anyPack(schema, create(schema, init)) };
}

const update = (field: string, before?: string) => ({
  changeType: ChangeType.UPDATE,
  field,
  type: "string",
  ...(before === undefined ? {} : { oldValue: value(before) }),
});

const offer = "/offers/full";
const overview = "/offers/full/overview";
const others = ["/regions", "/items", "/offers/bare", "/sandboxes/room/assets"];
const entryOf = (contextType: string, contextId: string, id: string, field = "title"): Write => ({
  kind: "entry",
  key: [id],
  namespace: "room",
  ...record(EntrySchema, { id, contextType, contextId, changes: [update(field)] }),
});
const own = "catalog-0000000000001-i1fz1c0f0x";

/** A write, an answer that it touches, and answers that it leaves alone. */
const writes: [feed: FeedName, write: Write, touched: string[], untouched: string[]][] = [
  ["catalog", { kind: "sandbox", key: ["room"] }, ["/sandboxes/room"], [offer, "/items"]],
  ["catalog", { kind: "tag", key: ["t1"] }, [overview], [offer]],
  ["catalog", { kind: "tag", key: ["t9"] }, [], [overview]],
  [
    "catalog",
    { kind: "item", key: ["item"], namespace: "room" },
    [
      "/items",
      "/items/item",
      "/items/item/builds",
      "/items/item/changelog",
      "/changelist",
      overview,
    ],
    [offer, "/sandboxes/room"],
  ],
  [
    "catalog",
    {
      kind: "item",
      key: ["next"],
      namespace: "room",
      ...record(ItemSchema, { id: "next", entitlementType: "EXECUTABLE" }),
    },
    [overview],
    [offer],
  ],
  [
    "catalog",
    {
      kind: "item",
      key: ["left"],
      namespace: "attic",
      changes: [update("namespace", "room")],
      ...record(ItemSchema, { id: "left", entitlementType: "EXECUTABLE" }),
    },
    [overview],
    [offer],
  ],
  [
    "catalog",
    {
      kind: "item",
      key: ["turned"],
      namespace: "room",
      changes: [update("entitlementType", "EXECUTABLE")],
      ...record(ItemSchema, { id: "turned", entitlementType: "AUDIENCE" }),
    },
    [overview],
    [offer],
  ],
  [
    "catalog",
    {
      kind: "item",
      key: ["extra"],
      namespace: "room",
      ...record(ItemSchema, { id: "extra", entitlementType: "AUDIENCE" }),
    },
    ["/items"],
    [overview],
  ],
  ["catalog", { kind: "item", key: ["far"], namespace: "attic" }, ["/items"], [overview]],
  [
    "catalog",
    { kind: "asset", key: ["app", "Windows", "room"], namespace: "room" },
    ["/sandboxes/room/assets", "/items/item/builds", "/items/item/changelog"],
    [offer, "/items"],
  ],
  [
    "catalog",
    {
      kind: "asset",
      key: ["renamed", "Windows", "attic"],
      namespace: "attic",
      changes: [update("id", "app")],
      ...record(AssetSchema, { artifactId: "renamed" }),
    },
    ["/items/item/changelog"],
    ["/sandboxes/room/assets"],
  ],
  [
    "catalog",
    { kind: "build", key: ["b9"], ...record(BuildSchema, { id: "b9", appName: "app" }) },
    ["/items/item/builds", overview],
    [offer, "/items"],
  ],
  [
    "catalog",
    { kind: "build", key: ["b8"], ...record(BuildSchema, { id: "b8", appName: "elsewhere" }) },
    [],
    [overview],
  ],
  [
    "catalog",
    {
      kind: "build",
      key: ["b9"],
      changes: [
        {
          changeType: ChangeType.DELETE,
          field: "*",
          oldValue: value({ appName: "app", id: "b9" }),
        },
      ],
    },
    ["/items/item/builds"],
    [offer],
  ],
  [
    "catalog",
    {
      kind: "offer",
      key: ["full"],
      namespace: "room",
      changes: [update("title", "Full")],
      ...record(OfferSchema, { id: "full" }),
    },
    [
      offer,
      "/offers/full/price",
      overview,
      "/offers/full/collection",
      "/offers/featured-discounts",
      "/sandboxes/room/offers",
      "/items/item/offer",
    ],
    others,
  ],
  [
    "catalog",
    { kind: "offer", key: ["gone"], namespace: "cellar", ...record(OfferSchema, { id: "gone" }) },
    ["/offers/full/collection"],
    [offer, "/sandboxes/room/offers", "/items/item/offer"],
  ],
  [
    "catalog",
    {
      kind: "offer",
      key: ["new"],
      namespace: "cellar",
      changes: [update("namespace", "room")],
      ...record(OfferSchema, { id: "new", items: [{ id: "item" }] }),
    },
    ["/sandboxes/room/offers", "/items/item/offer"],
    [offer, "/offers/featured-discounts"],
  ],
  [
    "catalog",
    {
      kind: "offer",
      key: ["ranked"],
      namespace: "cellar",
      changes: [update("offerType", "DEMO")],
      ...record(OfferSchema, { id: "ranked" }),
    },
    ["/offers/featured-discounts"],
    [offer, "/sandboxes/room/offers"],
  ],
  [
    "catalog",
    { kind: "offerText", key: ["full", "de-DE"], namespace: "room" },
    ["/offers/full?locale=de-DE", "/sandboxes/room/offers?locale=de-DE"],
    [offer, "/offers/full?locale=fr-FR", "/sandboxes/room/offers"],
  ],
  ["catalog", { kind: "offerDetails", key: ["full"] }, [overview], [offer]],
  ["catalog", { kind: "ageRating", key: ["room", "USK"] }, [overview], [offer]],
  ["catalog", { kind: "ageRating", key: ["attic", "USK"] }, [], [overview]],
  ["catalog", { kind: "ranking", key: ["top", "full"] }, ["/offers/featured-discounts"], [offer]],
  ["catalog", { kind: "news from tomorrow", key: ["?"] }, [offer, "/items"], ["/regions"]],
  [
    "pricing",
    { kind: "price", key: ["full", "US"] },
    [offer, "/offers/full/price", "/offers/full/price-history", "/offers/featured-discounts"],
    ["/offers/bare", "/offers/full?country=DE", "/offers/featured-discounts?country=DE"],
  ],
  [
    "pricing",
    { kind: "giveaway", key: ["g9"], ...record(GiveawaySchema, { id: "g9", offerId: "full" }) },
    [overview],
    [offer, "/offers/bare/overview"],
  ],
  ["pricing", { kind: "giveaway", key: ["g1"] }, [overview], [offer]],
  [
    "reviews",
    { kind: "review", key: ["r9"], ...record(ReviewSchema, { id: "r9", offerId: "full" }) },
    ["/offers/full/reviews"],
    ["/offers/bare/reviews", offer],
  ],
  ["reviews", { kind: "review", key: ["r8"] }, ["/offers/full/reviews"], [offer]],
  [
    "changelog",
    entryOf("offer", "full", own),
    ["/changelist", "/changelist?after=e1", "/sandboxes/room/changelog", "/search/changelog"],
    ["/items/item/changelog", "/search/changelog?type=item", "/search/changelog?id=item", offer],
  ],
  [
    "changelog",
    entryOf("item", "item", own),
    ["/items/item/changelog", "/sandboxes/room/changelog", "/search/changelog?type=item&id=item"],
    ["/search/changelog?type=offer", "/changelist/e2"],
  ],
  [
    "changelog",
    entryOf("item", "elsewhere", own, "releaseInfo"),
    ["/items/item/changelog", "/sandboxes/room/changelog"],
    ["/changelist/e2"],
  ],
  [
    "changelog",
    entryOf("offer", "full", "theirs"),
    ["/items/item/changelog", "/sandboxes/room/changelog"],
    ["/changelist/e2"],
  ],
];

test.for(writes)("a write to %s shows where it should and nowhere else: %j", async (parameters) => {
  const [feed, write, touched, untouched] = parameters;
  await keep(...touched, ...untouched);
  stack().services.feeds[feed].commit(write);
  for (const path of touched) {
    await expect.poll(() => isHit(path), { interval: 5 }).toBe(false);
  }
  passSeconds(5);
  for (const path of untouched) expect([path, await isHit(path)]).toEqual([path, true]);
});

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

test("however often an answer is written to, it is made anew about once a second", async () => {
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

test("an answer that a write overtook is given to who waited, and for less than a second", async () => {
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

test("an answer that several wait for and nobody keeps is private to whom a cookie gave it", async () => {
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
