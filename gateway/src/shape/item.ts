import type { Item as ItemRecord } from "@storefront/contracts/catalog/v1/item";
import type { Item, ItemSummary } from "../schemas/item.ts";
import { instantOf } from "./instant.ts";
import { keyImageOf } from "./key-image.ts";
import type { Shows } from "./shows.ts";

/** What a list shows of an item. */
export function itemSummaryOf(record: ItemRecord): ItemSummary {
  return {
    id: record.id,
    namespace: record.namespace ?? null,
    title: record.title ?? null,
    keyImages: record.keyImages.map(keyImageOf),
    releaseInfo: record.releaseInfo.map((release) => ({
      id: release.id ?? null,
      appId: release.appId ?? null,
      platform: release.platform,
      dateAdded: instantOf(release.dateAdded),
    })),
  };
}

/** A stored item as REST shows it. */
export function itemOf(record: ItemRecord): Shows<Item, ItemRecord> {
  return {
    ...itemSummaryOf(record),
    description: record.description ?? null,
    longDescription: record.longDescription ?? null,
    technicalDetails: record.technicalDetails ?? null,
    categories: record.categories.map(({ path }) => ({ path })),
    status: record.status ?? null,
    creationDate: instantOf(record.creationDate),
    lastModifiedDate: instantOf(record.lastModifiedDate),
    customAttributes: record.customAttributes.map(({ key, type, value }) => ({
      key,
      type: type ?? null,
      value: value ?? null,
    })),
    entitlementName: record.entitlementName ?? null,
    entitlementType: record.entitlementType ?? null,
    itemType: record.itemType ?? null,
    developer: record.developer ?? null,
    developerId: record.developerId ?? null,
    eulaIds: record.eulaIds,
    endOfSupport: record.endOfSupport ?? null,
    unsearchable: record.unsearchable ?? null,
    applicationId: record.applicationId ?? null,
    requiresSecureAccount: record.requiresSecureAccount ?? null,
    selfRefundable: record.selfRefundable ?? null,
  };
}
