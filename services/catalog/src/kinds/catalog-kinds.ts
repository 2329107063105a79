import { create } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { AgeRatingSchema } from "@storefront/contracts/catalog/v1/age_rating";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { OfferDetailsSchema } from "@storefront/contracts/catalog/v1/offer_details";
import { RankingSchema } from "@storefront/contracts/catalog/v1/ranking";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { TagSchema } from "@storefront/contracts/catalog/v1/tag";
import type { RecordKind } from "@storefront/ingest";
import { foldCase } from "../domain/fold-case.ts";
import { slugKeys } from "../domain/slug-keys.ts";
import { OfferTextSchema } from "@storefront/contracts/catalog/v1/offer_text";
import type { OfferText } from "@storefront/contracts/catalog/v1/offer_text";
import { membersThatAre } from "@storefront/import-format";
import type { FieldViolation } from "@storefront/rpc";

const overlayMembers = membersThatAre(OfferTextSchema, "overlay");

/** Texts of offers in other locales. */
const offerTextKind: RecordKind<typeof OfferTextSchema> = {
  name: "offerText",
  schema: OfferTextSchema,
  table: "catalog.offer_text",
  columns: [],
  namespace: (text) => text.namespace,
  validate: (text) => [...localeViolations(text), ...nullMemberViolations(text)],
};

// Texts are served by exact locale, and requested locales are canonical.
function localeViolations({ locale }: OfferText): FieldViolation[] {
  return isCanonicalLocale(locale)
    ? []
    : [{ field: "locale", description: "must be a BCP-47 language tag in canonical form" }];
}

function isCanonicalLocale(locale: string): boolean {
  try {
    return Intl.getCanonicalLocales(locale)[0] === locale;
  } catch {
    return false;
  }
}

function nullMemberViolations({ nullMembers }: OfferText): FieldViolation[] {
  const ascending = nullMembers.every(
    (member, index) => index === 0 || (nullMembers[index - 1] ?? "") < member,
  );
  return ascending && nullMembers.every((member) => overlayMembers.includes(member))
    ? []
    : [
        {
          field: "nullMembers",
          description: "must name overlaying members, in ascending order, each once",
        },
      ];
}

/** Offers, without what only their overview shows. */
const offerKind: RecordKind<typeof OfferSchema> = {
  name: "offer",
  schema: OfferSchema,
  table: "catalog.offer",
  columns: [
    { name: "namespace", type: "text", value: (offer) => offer.namespace },
    { name: "offer_type", type: "text", value: (offer) => offer.offerType },
    { name: "pre_purchase", type: "bool", value: (offer) => offer.prePurchase ?? false },
    {
      name: "creation_date",
      type: "timestamptz",
      value: ({ creationDate }) => creationDate && timestampDate(creationDate),
    },
    {
      name: "last_modified_date",
      type: "timestamptz",
      value: ({ lastModifiedDate }) => lastModifiedDate && timestampDate(lastModifiedDate),
    },
    {
      name: "title_folded",
      type: "text",
      value: ({ title }) => (title === undefined ? undefined : foldCase(title)),
    },
    { name: "seller_id", type: "text", value: (offer) => offer.seller?.id },
    { name: "seller_name", type: "text", value: (offer) => offer.seller?.name },
    { name: "item_ids", type: "text[]", value: (offer) => distinctIds(offer.items) },
    { name: "tag_ids", type: "text[]", value: (offer) => distinctIds(offer.tags) },
    {
      name: "slug_keys",
      type: "text[]",
      value: ({ prePurchase, productSlug, urlSlug, offerMappings }) =>
        slugKeys({
          prePurchase,
          productSlug,
          urlSlug,
          pageSlugs: offerMappings.flatMap(({ pageSlug }) => pageSlug ?? []),
        }),
    },
  ],
  namespace: (offer) => offer.namespace,
  summary: ({ id, title, namespace }) => ({ id, title, namespace }),
};

function distinctIds(elements: readonly { id: string }[]): string[] {
  return [...new Set(elements.map(({ id }) => id))];
}

/** Sandboxes; a sandbox's id is its namespace. */
const sandboxKind: RecordKind<typeof SandboxSchema> = {
  name: "sandbox",
  schema: SandboxSchema,
  table: "catalog.sandbox",
  columns: [],
  namespace: (sandbox) => sandbox.id,
  summary: ({ id, title }) => ({ id, title, namespace: id }),
};

/** Tags that offers refer to. */
const tagKind: RecordKind<typeof TagSchema> = {
  name: "tag",
  schema: TagSchema,
  table: "catalog.tag",
  columns: [{ name: "status", type: "text", value: (tag) => tag.status }],
};

/** Items, which offers grant. */
const itemKind: RecordKind<typeof ItemSchema> = {
  name: "item",
  schema: ItemSchema,
  table: "catalog.item",
  columns: [
    { name: "namespace", type: "text", value: (item) => item.namespace },
    {
      name: "last_modified_date",
      type: "timestamptz",
      value: ({ lastModifiedDate }) => lastModifiedDate && timestampDate(lastModifiedDate),
    },
    { name: "entitlement_type", type: "text", value: (item) => item.entitlementType },
    {
      name: "app_ids",
      type: "text[]",
      value: (item) => [...new Set(item.releaseInfo.flatMap(({ appId }) => appId ?? []))],
    },
  ],
  namespace: (item) => item.namespace,
  summary: ({ id, title, namespace }) => ({ id, title, namespace }),
};

/** Assets: installable artifacts by platform and sandbox. */
const assetKind: RecordKind<typeof AssetSchema> = {
  name: "asset",
  schema: AssetSchema,
  table: "catalog.asset",
  hasKeyDigest: true,
  columns: [
    { name: "id", type: "text", value: (asset) => asset.id },
    { name: "item_id", type: "text", value: (asset) => asset.itemId },
    { name: "platform_folded", type: "text", value: (asset) => foldCase(asset.platform) },
    { name: "download_size_bytes", type: "int8", value: (asset) => asset.downloadSizeBytes },
    { name: "installed_size_bytes", type: "int8", value: (asset) => asset.installedSizeBytes },
    {
      name: "updated_at",
      type: "timestamptz",
      value: ({ updatedAt }) => updatedAt && timestampDate(updatedAt),
    },
  ],
  namespace: (asset) => asset.namespace,
  summary: ({ artifactId, platform, title, namespace }) => ({
    artifactId,
    platform,
    title,
    namespace,
  }),
};

/** Builds of applications. They have no namespace: items and assets name their application. */
const buildKind: RecordKind<typeof BuildSchema> = {
  name: "build",
  schema: BuildSchema,
  table: "catalog.build",
  columns: [
    { name: "app_name", type: "text", value: (build) => build.appName },
    {
      name: "updated_at",
      type: "timestamptz",
      value: ({ updatedAt }) => updatedAt && timestampDate(updatedAt),
    },
  ],
  summary: ({ id, appName, buildVersion }) => ({ id, appName, buildVersion }),
};

/** What overviews show in addition to offers. A member that an observation leaves out does not change. */
const offerDetailsKind: RecordKind<typeof OfferDetailsSchema> = {
  name: "offerDetails",
  schema: OfferDetailsSchema,
  table: "catalog.offer_details",
  columns: [],
  merge: (stored, observed) =>
    create(OfferDetailsSchema, {
      offerId: observed.offerId,
      media: observed.media ?? stored.media,
      extdb: observed.extdb ?? stored.extdb,
      polls: observed.polls ?? stored.polls,
    }),
};

/** Age ratings of sandboxes, one per rating system. */
const ageRatingKind: RecordKind<typeof AgeRatingSchema> = {
  name: "ageRating",
  schema: AgeRatingSchema,
  table: "catalog.age_rating",
  columns: [],
  namespace: (rating) => rating.namespace,
};

/** Positions of offers in collections. Position 0 removes an offer from its collection. */
const rankingKind: RecordKind<typeof RankingSchema> = {
  name: "ranking",
  schema: RankingSchema,
  table: "catalog.ranking",
  sightingGroup: "offerId",
  columns: [{ name: "position", type: "int4", value: (ranking) => ranking.position }],
  normalize: (ranking) => (ranking.position === 0 ? undefined : ranking),
};

/**
 * Every kind of record that the catalog owns; referenced kinds come first. The SQL that writes them is shared by
 * all services: `packages/ingest/src/apply/store-key-states.ts`.
 */
export const catalogKinds: readonly RecordKind[] = [
  sandboxKind,
  tagKind,
  itemKind,
  assetKind,
  buildKind,
  offerKind,
  offerTextKind,
  offerDetailsKind,
  ageRatingKind,
  rankingKind,
];
