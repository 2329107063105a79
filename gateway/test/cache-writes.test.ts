import { create } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";
import { anyPack } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import { expect, test } from "vitest";
import type { FeedName } from "@storefront/process";
import { passSeconds } from "./support/clock.ts";
import { cachedResponses } from "./support/cached-responses.ts";
import { value } from "./support/records.ts";
import { useCachingStack } from "./support/start-stack.ts";

const stack = useCachingStack();
const { isHit, warm } = cachedResponses(stack);

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

/** A write, the responses that it touches, and some that it does not touch. */
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
      "/offers/full/prices",
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
    [
      offer,
      "/offers/full/price",
      "/offers/full/prices",
      "/offers/full/price-history",
      "/offers/featured-discounts",
    ],
    [
      "/offers/bare",
      "/offers/bare/prices",
      "/offers/full?country=DE",
      "/offers/featured-discounts?country=DE",
    ],
  ],
  [
    "pricing",
    { kind: "price", key: ["full", "JP"] },
    ["/offers/full/prices", "/offers/full/prices?fields=price"],
    [offer, "/offers/bare/prices"],
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

test.for(writes)(
  "a write to %s touches the responses that it should, and no others: %j",
  async (parameters) => {
    const [feed, write, touched, untouched] = parameters;
    await warm(...touched, ...untouched);
    stack().services.feeds[feed].commit(write);
    for (const path of touched) {
      await expect.poll(() => isHit(path), { interval: 5 }).toBe(false);
    }
    passSeconds(5);
    for (const path of untouched) expect([path, await isHit(path)]).toEqual([path, true]);
  },
);
