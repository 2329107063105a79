import { create } from "@bufbuild/protobuf";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Item } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { ChangelogContext, ChangelogDocument } from "../schemas/changelog-entry.ts";
import type { Offer } from "../schemas/offer.ts";
import { offerOf } from "./offer.ts";

/** What an entry's `metadata.context` shows of the record that changed; null for other kinds. */
export function changelogContextOf({ record }: ChangeContext): ChangelogContext | null {
  switch (record.case) {
    case "offer":
    case "item": {
      const { id, title, namespace } = record.value;
      return { id, title: title ?? null, namespace: namespace ?? null };
    }
    case "asset": {
      const { id, artifactId, title, namespace } = record.value;
      return { id: id ?? null, artifactId, title: title ?? null, namespace };
    }
    case "build": {
      const { id, appName, buildVersion } = record.value;
      return { id, appName: appName ?? null, buildVersion: buildVersion ?? null };
    }
    default:
      return null;
  }
}

/** What an entry's `document` shows: offers are canonical; null for other kinds. */
export function changelogDocumentOf({ record, assetItem }: ChangeContext): ChangelogDocument {
  switch (record.case) {
    case "offer":
      return offerOf(record.value);
    case "item":
      return offerShapedOf(record.value);
    case "asset":
      return assetItem === undefined ? null : offerShapedOf(assetItem);
    case "build": {
      const { id, appName, buildVersion } = record.value;
      return { id, appName: appName ?? null, buildVersion: buildVersion ?? null };
    }
    default:
      return null;
  }
}

/** An item as an offer: the members that both have, all others unknown. */
function offerShapedOf(item: Item): Offer {
  const offer = create(OfferSchema, {
    id: item.id,
    keyImages: item.keyImages,
    customAttributes: item.customAttributes,
    categories: item.categories.map(({ path }) => path),
  });
  if (item.namespace !== undefined) offer.namespace = item.namespace;
  if (item.title !== undefined) offer.title = item.title;
  if (item.description !== undefined) offer.description = item.description;
  if (item.longDescription !== undefined) offer.longDescription = item.longDescription;
  if (item.status !== undefined) offer.status = item.status;
  if (item.creationDate !== undefined) offer.creationDate = item.creationDate;
  if (item.lastModifiedDate !== undefined) offer.lastModifiedDate = item.lastModifiedDate;
  if (item.developer !== undefined) offer.developerDisplayName = item.developer;
  return offerOf(offer);
}
