import { timestampDate } from "@bufbuild/protobuf/wkt";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import type { RecordKind } from "@storefront/ingest";
import { foldCase } from "../domain/fold-case.ts";
import { slugKeys } from "../domain/slug-keys.ts";

/** Offers, without what only their overview shows. */
export const offerKind: RecordKind<typeof OfferSchema> = {
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
