import { anyUnpack } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { asLocale, asOfferId, asRegion } from "@storefront/domain/identifiers";
import * as tag from "./tags.ts";

/** Type of the items that an overview takes technologies from. */
const executableType = "EXECUTABLE";

/** The tags that a write touches, by its entry in a feed. */
export function writtenTags(entry: FeedEntry): string[] {
  const {
    kind,
    key: [id = "", second = ""],
  } = entry;
  switch (kind) {
    case "sandbox":
      return [tag.sandboxTag(id), tag.sandboxesTag];
    case "tag":
      return [tag.tagRecordTag(id), tag.tagRecordsTag];
    case "item":
      return itemTags(entry, id);
    case "asset":
      return assetTags(entry, id);
    case "build":
      return buildTags(entry, id);
    case "offer":
      return offerTags(entry, id);
    case "offerText":
      return [tag.offerTextTag(asOfferId(id), asLocale(second))];
    case "offerDetails":
      return [tag.offerDetailsTag(id)];
    case "ageRating":
      return [tag.ageRatingsInTag(id), tag.ageRatingsTag];
    case "ranking":
      return [tag.rankingsTag];
    case "price":
      return [
        tag.priceTag(asOfferId(id), asRegion(second)),
        tag.pricesOfTag(id),
        tag.pricesInTag(second),
        tag.pricesTag,
      ];
    case "giveaway":
      return giveawayTags(entry, id);
    case "review":
      return reviewTags(entry, id);
    case "entry":
      return entryTags(entry, id);
    default:
      return [tag.anythingTag];
  }
}

function itemTags(entry: FeedEntry, id: string): string[] {
  const tags = [tag.itemTag(id), tag.itemsTag];
  if (!mayBeExecutable(entry)) return tags;
  const oldNamespace = oldMember(entry, "namespace");
  tags.push(tag.executablesInTag(entry.namespace));
  if (oldNamespace !== undefined) tags.push(tag.executablesInTag(oldNamespace));
  return tags;
}

/** Whether an item is an executable, or was one before the write. */
function mayBeExecutable(entry: FeedEntry): boolean {
  const record = entry.record && anyUnpack(entry.record, ItemSchema);
  if (record === undefined || record.entitlementType === executableType) return true;
  return oldMember(entry, "entitlementType") === executableType;
}

function assetTags(entry: FeedEntry, artifactId: string): string[] {
  const record = entry.record && anyUnpack(entry.record, AssetSchema);
  const ownIds = [record?.id, oldMember(entry, "id")].filter((id) => id !== undefined);
  return [artifactId, ...ownIds].map(tag.assetTag).concat(tag.assetsInTag(entry.namespace));
}

function buildTags(entry: FeedEntry, id: string): string[] {
  const record = entry.record && anyUnpack(entry.record, BuildSchema);
  const appNames = [record?.appName, oldMember(entry, "appName")];
  return [
    tag.buildTag(id),
    tag.buildsTag,
    ...appNames.flatMap((appName) => (appName === undefined ? [] : tag.buildsOfTag(appName))),
  ];
}

function offerTags(entry: FeedEntry, id: string): string[] {
  const record = entry.record && anyUnpack(entry.record, OfferSchema);
  const oldNamespace = oldMember(entry, "namespace");
  const tags = [tag.offerTag(id), tag.offersTag, tag.offersInTag(entry.namespace)];
  if (oldNamespace !== undefined) tags.push(tag.offersInTag(oldNamespace));
  for (const item of record?.items ?? []) tags.push(tag.offersOfItemTag(item.id));
  if (entry.changes.some(({ field }) => field === "*" || field === "offerType")) {
    tags.push(tag.offerTypesTag);
  }
  return tags;
}

function giveawayTags(entry: FeedEntry, id: string): string[] {
  const record = entry.record && anyUnpack(entry.record, GiveawaySchema);
  const tags = [tag.giveawayTag(id), tag.giveawaysTag];
  if (record?.offerId !== undefined) tags.push(tag.giveawaysOfTag(record.offerId));
  return tags;
}

function reviewTags(entry: FeedEntry, id: string): string[] {
  const record = entry.record && anyUnpack(entry.record, ReviewSchema);
  // A deleted review has only its id.
  const list = record?.offerId === undefined ? tag.reviewsTag : tag.reviewsOfTag(record.offerId);
  return [tag.reviewTag(id), list];
}

function entryTags({ record, namespace }: FeedEntry, id: string): string[] {
  const entry = record && anyUnpack(record, EntrySchema);
  if (entry === undefined) return [tag.anythingTag];
  const { contextType, contextId } = entry;
  return [
    tag.entryTag(id),
    tag.entriesTag("", ""),
    tag.entriesTag(contextType, ""),
    tag.entriesTag("", contextId),
    tag.entriesTag(contextType, contextId),
    ...scopeTags(entry, namespace),
  ];
}

// Not entries of what a snapshot showed: a record may have moved by them.
const ownEntry = /^catalog-[0-9a-f]{13}(?:-[0-9a-z]+)?$/;
// Members that decide which sandbox and item a record and its whole history belong to.
const moving = new Set(["*", "namespace", "releaseInfo"]);

// Only a plain update by the catalog itself is certain not to move histories, also of other records.
function scopeTags({ id, contextType, contextId, changes }: Entry, namespace: string): string[] {
  const isPlain =
    ownEntry.test(id) && namespace !== "" && !changes.some(({ field }) => moving.has(field));
  if (isPlain && (contextType === "offer" || contextType === "sandbox")) {
    return [tag.entriesInTag(namespace)];
  }
  if (isPlain && contextType === "item") {
    return [tag.entriesInTag(namespace), tag.entriesOfItemTag(contextId)];
  }
  return [tag.entryScopesTag];
}

/** A text member of the record before the write, if the write changed it. */
function oldMember({ changes }: FeedEntry, member: string): string | undefined {
  for (const { field, oldValue } of changes) {
    if (field === member) return textOf(oldValue);
    if (field === "*" && oldValue?.kind.case === "structValue") {
      return textOf(oldValue.kind.value.fields[member]);
    }
  }
  return undefined;
}

function textOf(value: Value | undefined): string | undefined {
  return value?.kind.case === "stringValue" ? value.kind.value : undefined;
}
