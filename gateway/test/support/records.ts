import { create, fromJson } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { timestampFromDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import {
  GetOfferOverviewResponseSchema,
  ItemBuildSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { OfferTextSchema } from "@storefront/contracts/catalog/v1/offer_text";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { PricePastSchema } from "@storefront/contracts/pricing/v1/price_past";
import type { PricePast } from "@storefront/contracts/pricing/v1/price_past";
import { regions } from "@storefront/domain/regions";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { ChangeSchema } from "@storefront/contracts/type/v1/change";

/** An instant from its ISO form. */
export const at = (iso: string): Timestamp => timestampFromDate(new Date(iso));

const msOf = (iso: string) => BigInt(Date.parse(iso));

const offer = (init: MessageInitShape<typeof OfferSchema>) => create(OfferSchema, init);

const price = (offerId: string, region: string, originalPrice: bigint, discountPrice: bigint) =>
  create(OfferPriceSchema, {
    offerId,
    region,
    price: {
      currencyCode: "USD",
      originalPrice,
      discountPrice,
      discount: originalPrice - discountPrice,
    },
    updatedAt: at("2026-05-04T03:02:01.5Z"),
    appliedRules: [{ id: "rule", discountPercentage: 50 }],
  });

/** A free-form value. */
export const value = (json: JsonValue) => fromJson(ValueSchema, json);

/** An entry of the changelog; by default the title of its record has become known. */
export const entry = (
  id: string,
  contextType: string,
  contextId: string,
  changes: MessageInitShape<typeof ChangeSchema>[] = [
    { changeType: ChangeType.INSERT, type: "string", field: "title", newValue: value("New") },
  ],
) =>
  create(EntrySchema, {
    id,
    contextType,
    contextId,
    changes,
    namespace: "room",
    timestamp: at("2026-03-16T19:05:41Z"),
  });

/** The offer `full`: no member is absent. */
const full = offer({
  id: "full",
  namespace: "room",
  title: "Full",
  description: "Described.",
  longDescription: "Described at length. ".repeat(100),
  offerType: "BASE_GAME",
  status: "ACTIVE",
  effectiveDate: at("2020-01-02T03:04:05.678Z"),
  creationDate: at("2019-01-01T00:00:00Z"),
  lastModifiedDate: at("2021-01-01T00:00:00Z"),
  releaseDate: at("2020-02-02T00:00:00Z"),
  pcReleaseDate: at("2020-02-03T00:00:00Z"),
  viewableDate: at("2099-01-01T00:00:00Z"),
  isCodeRedemptionOnly: false,
  prePurchase: true,
  keyImages: [
    { type: "Wide", url: "/w.png", width: 3, height: 2, md5: "m" },
    { url: "no address" },
  ],
  seller: { id: "s1", name: "Seller" },
  developerDisplayName: "Dev",
  publisherDisplayName: "Pub",
  productSlug: "full/home",
  urlSlug: "full",
  url: "https://example.invalid/full",
  offerMappings: [{ pageSlug: "full", pageType: "productHome" }],
  tags: [{ id: "t1", name: "Tag" }, { id: "t2" }],
  items: [{ id: "item", namespace: "room" }, { id: "other" }],
  customAttributes: [{ key: "k", type: "STRING", value: "v" }, { key: "bare" }],
  categories: ["games"],
  countriesBlacklist: ["CN"],
  countriesWhitelist: ["US", "CN", "DE"],
  refundType: "SELF_REFUNDABLE",
  collectionOfferIds: ["bare", "gone", "full"],
});

/** The records of the in-test services. */
export const records = {
  regions: regions.map(({ region, countries, ...money }) => ({
    id: String(region),
    ...money,
    countries: countries.map(String),
  })),
  offers: [full, offer({ id: "bare" }), offer({ id: "a/b ü", title: "Odd id" })],
  /** Ids of offers, best first. */
  ranking: ["gone", "full", "bare"],
  texts: [
    create(OfferTextSchema, {
      offerId: "full",
      locale: "de-DE",
      source: "memory",
      fetchedAt: at("2026-01-01T00:00:00Z"),
      sourceUpdatedAt: at("2025-01-01T00:00:00Z"),
      title: "Voll",
      description: "Beschrieben.",
      longDescription: "Lang.",
      developerDisplayName: "Entwickler",
      publisherDisplayName: "Verlag",
      seller: { id: "s2", name: "Verkäufer" },
      tags: [{ id: "t1", name: "Marke" }],
      offerMappings: [{ pageSlug: "voll" }],
      productSlug: "voll/home",
      urlSlug: "voll",
      url: "https://example.invalid/voll",
    }),
    create(OfferTextSchema, {
      offerId: "full",
      locale: "fr-FR",
      title: "Plein",
      nullMembers: ["description", "offerMappings", "seller", "tags", "url"],
    }),
  ],
  sandboxes: [
    create(SandboxSchema, { id: "room", title: "Room", updated: at("2021-01-01T00:00:00Z") }),
  ],
  assets: [
    create(AssetSchema, {
      artifactId: "app",
      platform: "Windows",
      namespace: "room",
      itemId: "item",
      downloadSizeBytes: 9_007_199_254_740_991n,
    }),
  ],
  items: [
    create(ItemSchema, {
      id: "item",
      namespace: "room",
      title: "Item",
      keyImages: [{ type: "Wide", url: "/w.png" }],
      releaseInfo: [
        { id: "r", appId: "app", platform: ["Windows"], dateAdded: at("2020-01-01T00:00:00Z") },
      ],
      categories: [{ path: "games" }],
      customAttributes: [{ key: "k", value: "v" }],
      eulaIds: ["e"],
      endOfSupport: false,
    }),
  ],
  /** An item that cannot be shown: its date is invalid. */
  defect: create(ItemSchema, { id: "defect", creationDate: { seconds: 10n ** 15n } }),
  builds: [
    create(ItemBuildSchema, {
      build: {
        id: "b1",
        appName: "app",
        labelName: "Live-Windows",
        hash: "h1",
        createdAt: at("2020-01-01T00:00:00Z"),
        updatedAt: at("2020-06-01T00:00:00Z"),
        technologies: [{ section: "Engine", technology: "Unity" }],
        manifest: { status: "verified", canonicalHash: "c", fileCount: 7n, fileBytes: 8n },
      },
      platform: "Windows",
      downloadSizeBytes: 5n,
      manifestStatus: "verified",
      comparable: true,
      sameStream: true,
    }),
    create(ItemBuildSchema, { build: { id: "b2" }, manifestStatus: "legacy_unverified" }),
    create(ItemBuildSchema, {
      build: { id: "b3", hash: "h3", manifest: { status: "verified", sourceHash: "s3" } },
      manifestStatus: "verified",
    }),
  ],
  /** The overview of `full`. */
  overview: create(GetOfferOverviewResponseSchema, {
    details: {
      offerId: "full",
      media: { images: [{ src: "/1.png" }, null], videos: [] },
      polls: { average: 4.5 },
    },
    tags: [
      { id: "t2", name: "Own", groupName: "genre" },
      { id: "t1", name: "Stale", groupName: "genre" },
      { id: "t3", name: "Co-op", groupName: "feature" },
      { id: "t4", groupName: "epicfeature" },
      { id: "t5", name: "Sale", groupName: "event" },
    ],
    technologies: [{ section: "Engine", technology: "Unity" }, { technology: "FMOD" }],
    ageRatings: [
      { namespace: "room", ratingSystem: "ESRB", rating: { gameRating: "T", ageControl: 13 } },
      { namespace: "room", ratingSystem: "USK", rating: { gameRating: "12", descriptor: null } },
    ],
    sources: {
      namespace: "room",
      tagIds: ["t1", "t2", "t3", "t4", "t5"],
      itemIds: ["item", "other"],
      appNames: ["app"],
      includesExecutables: true,
    },
  }),
  prices: [
    price("full", "US", 1999n, 999n),
    price("full", "EURO", 2099n, 2099n),
    price("full", "CN2", 100n, 100n),
    price("orphan", "US", 1n, 1n),
  ],
  /** The past that the lows of every price are made of; undefined as from the release before. */
  past: create(PricePastSchema, {
    lastStartMs: msOf("2026-05-04T03:02:01.5Z"),
    currencyCode: "USD",
    sinceMs: msOf("2021-01-01T00:00:00Z"),
    steps: [
      {
        discountPrice: 500n,
        startMs: msOf("2021-01-01T00:00:00Z"),
        endMs: msOf("2021-02-01T00:00:00Z"),
      },
      { discountPrice: 999n, startMs: msOf("2026-05-04T03:02:01.5Z") },
    ],
    reduction: {
      sinceMs: msOf("2026-05-04T03:02:01.5Z"),
      stepsBefore: [
        {
          discountPrice: 1999n,
          startMs: msOf("2021-02-01T00:00:00Z"),
          endMs: msOf("2026-05-04T03:02:01.5Z"),
        },
      ],
    },
    hadGiveaway: true,
    hadOtherCurrency: true,
  }) as PricePast | undefined,
  /** How long pricing's lists of giveaways are valid. */
  giveawayValidity: {} as { validForMs?: bigint },
  giveaways: [
    create(GiveawaySchema, {
      id: "g1",
      offerId: "full",
      platform: "android",
      startDate: at("2026-02-01T00:00:00Z"),
      endDate: at("2099-01-01T00:00:00Z"),
    }),
    create(GiveawaySchema, {
      id: "g2",
      offerId: "gone",
      platform: "ios",
      title: "Gone",
      namespace: "nowhere",
      startDate: at("2026-01-01T00:00:00Z"),
      endDate: at("2099-01-01T00:00:00Z"),
    }),
    create(GiveawaySchema, { id: "g3", platform: "ios" }),
  ],
  reviews: [
    create(ReviewSchema, {
      id: "r1",
      offerId: "full",
      rating: 7.5,
      title: "Good",
      content: "Very.",
      tags: ["story"],
      recommended: true,
      verified: false,
      createdAt: at("2026-01-01T00:00:00Z"),
      updatedAt: at("2026-01-02T00:00:00Z"),
      user: { id: "u", displayName: "User", avatarUrl: "/a.png" },
    }),
    create(ReviewSchema, { id: "r2", offerId: "full" }),
  ],
  /** In the order of the log. */
  entries: [
    entry("e1", "sandbox", "room"),
    entry("e2", "offer", "full", [
      {
        changeType: ChangeType.UPDATE,
        type: "string",
        field: "title",
        oldValue: value(null),
        newValue: value("Full"),
      },
      {
        changeType: ChangeType.DELETE,
        type: "array",
        field: "tags",
        oldValue: value([{ id: "t" }]),
      },
    ]),
    entry("e3", "item", "item"),
    entry("e4", "asset", "app"),
    entry("e5", "build", "b1"),
    entry("e6", "offer", "gone"),
    entry("foreign ü", "bundle", "x", [
      {
        changeType: ChangeType.UPDATE,
        field: "price",
        oldValueRaw: value('{"amount":1}'),
        newValueRaw: value("not JSON"),
      },
    ]),
  ],
};
