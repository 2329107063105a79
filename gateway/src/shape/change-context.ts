import { create } from "@bufbuild/protobuf";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Item } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { ChangelogContext, ChangelogDocument } from "../schemas/changelog-entry.ts";
import type { Item as ShownItem } from "../schemas/item.ts";
import type { Offer } from "../schemas/offer.ts";
import { itemOf } from "./item.ts";
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
      return nothingOf(record.case);
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
      return nothingOf(record.case);
  }
}

/** What is shown of a record of this kind, or of none. Any other kind fails the type check above. */
function nothingOf(_kind: "sandbox" | undefined): null {
  return null;
}

/** Members that items and offers show alike. */
type CommonMembers = Omit<Pick<ShownItem, keyof ShownItem & keyof Offer>, "categories">;

/** An item as an offer: the members that both have, all others unknown. */
function offerShapedOf(record: Item): Offer {
  const item = itemOf(record);
  const common: CommonMembers = {
    id: item.id,
    namespace: item.namespace,
    title: item.title,
    description: item.description,
    longDescription: item.longDescription,
    keyImages: item.keyImages,
    status: item.status,
    creationDate: item.creationDate,
    lastModifiedDate: item.lastModifiedDate,
    customAttributes: item.customAttributes,
  };
  return {
    ...offerOf(create(OfferSchema)),
    ...common,
    categories: item.categories.map(({ path }) => path),
    developerDisplayName: item.developer,
  };
}
