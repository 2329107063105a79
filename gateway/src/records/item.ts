import type { Item as ItemRecord } from "@storefront/contracts/catalog/v1/item";
import { z } from "zod";
import { instantOf } from "./instant.ts";
import {
  customAttributesOf,
  keyImagesOf,
  zCustomAttributes,
  zFlag,
  zInstant,
  zKeyImages,
  zList,
  zObject,
  zString,
  zStrings,
  zText,
} from "./members.ts";
import type { Mapped } from "./mapped-fields.ts";

const zReleaseInfo = zObject("ReleaseInfo", "One release of an item's application.", {
  id: zText("Id of the release.", "0c1d2e3f4a5b4c6d8e7f9a0b1c2d3e4f"),
  appId: z
    .string()
    .nullable()
    .meta({ description: "Name of the application; builds carry it as `appName`." }),
  platform: zStrings("Platforms of the release.", ["Windows", "Mac"]),
  dateAdded: zInstant("When the release was added."),
});

/** What a list shows of an item. */
export const zItemSummary = zObject("ItemSummary", "What a list shows of an item.", {
  id: zString("Id of the item.", "7a1e4c9d2b8f4063a5d7c0e1f2b39486"),
  namespace: zText("Sandbox of the item.", "calluna"),
  title: zText("Name of the item.", "Moonlit Harbour"),
  keyImages: zKeyImages,
  releaseInfo: zList(zReleaseInfo, "Releases of the item's application."),
});

export type ItemSummary = z.output<typeof zItemSummary>;

export const zItem = zItemSummary
  .extend({
    description: zText("A sentence or two.", "A calm game about running a harbour."),
    longDescription: zText(
      "Text of the product page, which may hold markup.",
      "Build piers, hire crews, wait for the tide.",
    ),
    technicalDetails: zText("Requirements, as the developer words them.", "8 GB of memory"),
    categories: zList(
      zObject("ItemCategory", "A category that an item is in.", {
        path: zString("Path of the category.", "games"),
      }),
      "Categories of the item.",
    ),
    status: zText("State of the record at its source.", "ACTIVE"),
    creationDate: zInstant("When the item was made."),
    lastModifiedDate: zInstant("When the item was last changed."),
    customAttributes: zCustomAttributes,
    entitlementName: zText("Name of what a player owns with the item.", "calluna_base"),
    entitlementType: zText("Kind of what a player owns.", "EXECUTABLE"),
    itemType: zText("Whether the item lasts or is used up.", "DURABLE"),
    developer: zText("Name of the developer.", "Moonlit Works"),
    developerId: zText("Id of the developer.", "o-7f3k2m9q4w"),
    eulaIds: zStrings("Licence agreements that a player accepts.", ["calluna_eula"]),
    endOfSupport: zFlag("No longer supported by its developer."),
    unsearchable: zFlag("Left out of the storefront's own search."),
    applicationId: zText("Id of the application.", "fghi4567d2b8f4063a5d7c0e1f2b3948"),
    requiresSecureAccount: zFlag("Needs an account with a second factor."),
    selfRefundable: zFlag("Players can give it back without asking anyone."),
  })
  .meta({ id: "Item", description: "What an offer grants. A null member is unknown." });

export type Item = z.output<typeof zItem>;

export function itemSummaryOf(record: ItemRecord): ItemSummary {
  return {
    id: record.id,
    namespace: record.namespace ?? null,
    title: record.title ?? null,
    keyImages: keyImagesOf(record.keyImages),
    releaseInfo: record.releaseInfo.map((release) => ({
      id: release.id ?? null,
      appId: release.appId ?? null,
      platform: release.platform,
      dateAdded: instantOf(release.dateAdded),
    })),
  };
}

export function itemOf(record: ItemRecord): Mapped<Item, ItemRecord> {
  return {
    ...itemSummaryOf(record),
    description: record.description ?? null,
    longDescription: record.longDescription ?? null,
    technicalDetails: record.technicalDetails ?? null,
    categories: record.categories.map(({ path }) => ({ path })),
    status: record.status ?? null,
    creationDate: instantOf(record.creationDate),
    lastModifiedDate: instantOf(record.lastModifiedDate),
    customAttributes: customAttributesOf(record.customAttributes),
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
