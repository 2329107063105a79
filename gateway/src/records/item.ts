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
  zText,
} from "./members.ts";
import type { Shows } from "./shows.ts";

const zReleaseInfo = z
  .object({
    id: zText.meta({
      description: "Id of the release.",
      example: "0c1d2e3f4a5b4c6d8e7f9a0b1c2d3e4f",
    }),
    appId: zText.meta({ description: "Name of the application; builds carry it as `appName`." }),
    platform: z
      .array(z.string())
      .meta({ description: "Platforms of the release.", example: ["Windows", "Mac"] }),
    dateAdded: zInstant.meta({ description: "When the release was added." }),
  })
  .meta({ id: "ReleaseInfo", description: "One release of an item's application." });

/** What a list shows of an item. */
export const zItemSummary = z
  .object({
    id: z
      .string()
      .meta({ description: "Id of the item.", example: "7a1e4c9d2b8f4063a5d7c0e1f2b39486" }),
    namespace: zText.meta({ description: "Sandbox of the item.", example: "calluna" }),
    title: zText.meta({ description: "Name of the item.", example: "Moonlit Harbour" }),
    keyImages: zKeyImages,
    releaseInfo: z.array(zReleaseInfo).meta({ description: "Releases of the item's application." }),
  })
  .meta({ id: "ItemSummary", description: "What a list shows of an item." });

export type ItemSummary = z.output<typeof zItemSummary>;

export const zItem = zItemSummary
  .extend({
    description: zText.meta({
      description: "A sentence or two.",
      example: "A calm game about running a harbour.",
    }),
    longDescription: zText.meta({
      description: "Text of the product page, which may hold markup.",
      example: "Build piers, hire crews, wait for the tide.",
    }),
    technicalDetails: zText.meta({
      description: "Requirements, as the developer words them.",
      example: "8 GB of memory",
    }),
    categories: z
      .array(
        z
          .object({
            path: z.string().meta({ description: "Path of the category.", example: "games" }),
          })
          .meta({ id: "ItemCategory", description: "A category that an item is in." }),
      )
      .meta({ description: "Categories of the item." }),
    status: zText.meta({ description: "State of the record at its source.", example: "ACTIVE" }),
    creationDate: zInstant.meta({ description: "When the item was made." }),
    lastModifiedDate: zInstant.meta({ description: "When the item was last changed." }),
    customAttributes: zCustomAttributes,
    entitlementName: zText.meta({
      description: "Name of what a player owns with the item.",
      example: "calluna_base",
    }),
    entitlementType: zText.meta({
      description: "Kind of what a player owns.",
      example: "EXECUTABLE",
    }),
    itemType: zText.meta({
      description: "Whether the item is kept or used up.",
      example: "DURABLE",
    }),
    developer: zText.meta({ description: "Name of the developer.", example: "Moonlit Works" }),
    developerId: zText.meta({ description: "Id of the developer.", example: "o-7f3k2m9q4w" }),
    eulaIds: z.array(z.string()).meta({
      description: "Licence agreements that a player accepts.",
      example: ["calluna_eula"],
    }),
    endOfSupport: zFlag.meta({ description: "No longer supported by its developer." }),
    unsearchable: zFlag.meta({ description: "Left out of the storefront's own search." }),
    applicationId: zText.meta({
      description: "Id of the application.",
      example: "fghi4567d2b8f4063a5d7c0e1f2b3948",
    }),
    requiresSecureAccount: zFlag.meta({ description: "Needs an account with a second factor." }),
    selfRefundable: zFlag.meta({ description: "Players can give it back without asking anyone." }),
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
