import { create } from "@bufbuild/protobuf";
import type { Build } from "@storefront/contracts/catalog/v1/build";
import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Item } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { z } from "zod";
import { itemOf } from "./item.ts";
import type { Item as ShownItem } from "./item.ts";
import { zObject, zString, zText } from "./members.ts";
import { offerOf, zOffer } from "./offer.ts";
import type { Offer } from "./offer.ts";

export const zChangeContext = zObject(
  "ChangeContext",
  "The record that changed, as it stands now. Offers and items have title and namespace, assets also artifactId; builds have appName and buildVersion.",
  {
    id: zText("Id of the record.", "5f0c1a7e9b3d4c2e8a6f7d1b0e9c8a7b"),
    artifactId: zString("Name of an asset's application.", "Calluna").optional(),
    appName: zText("Name of a build's application.", "Calluna").optional(),
    buildVersion: zText("Version of a build.", "1.4.2-8812").optional(),
    title: zText("Title of the record.", "Moonlit Harbour").optional(),
    namespace: zText("Sandbox of the record.", "calluna").optional(),
  },
);

type ShownContext = z.output<typeof zChangeContext>;

const zBuildDocument = zObject("BuildDocument", "What a changelog entry shows of a build.", {
  id: zString("Id of the build.", "b1946ac92492d2347c6235b4d2611184"),
  appName: zText("Name of the application.", "Calluna"),
  buildVersion: zText("Version of the build.", "1.4.2-8812"),
});

export const zChangeDocument = z.union([zOffer, zBuildDocument]).nullable();

type ShownDocument = z.output<typeof zChangeDocument>;

/** What an entry's `metadata.context` shows of the record that changed; null for other kinds. */
export function changelogContextOf({ record }: ChangeContext): ShownContext | null {
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
    case "build":
      return buildDocumentOf(record.value);
    default:
      return nothingOf(record.case);
  }
}

/** What an entry's `document` shows: offers are canonical; null for other kinds. */
export function changelogDocumentOf({ record, assetItem }: ChangeContext): ShownDocument {
  switch (record.case) {
    case "offer":
      return offerOf(record.value);
    case "item":
      return offerShapedOf(record.value);
    case "asset":
      return assetItem === undefined ? null : offerShapedOf(assetItem);
    case "build":
      return buildDocumentOf(record.value);
    default:
      return nothingOf(record.case);
  }
}

function buildDocumentOf({ id, appName, buildVersion }: Build): z.output<typeof zBuildDocument> {
  return { id, appName: appName ?? null, buildVersion: buildVersion ?? null };
}

/** Nothing is shown of these kinds. Any other kind fails the type check above. */
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
