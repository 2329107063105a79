import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import type { RecordKind } from "@storefront/ingest";
import { instantOf } from "./instant-of.ts";
import { summarize } from "./summarize.ts";

/** Items, which offers grant. */
export const itemKind: RecordKind<typeof ItemSchema> = {
  name: "item",
  schema: ItemSchema,
  table: "catalog.item",
  columns: [
    { name: "namespace", type: "text", value: (item) => item.namespace },
    {
      name: "last_modified_date",
      type: "timestamptz",
      value: (item) => instantOf(item.lastModifiedDate),
    },
    { name: "entitlement_type", type: "text", value: (item) => item.entitlementType },
    {
      name: "app_ids",
      type: "text[]",
      value: (item) => [...new Set(item.releaseInfo.flatMap(({ appId }) => appId ?? []))],
    },
  ],
  namespace: (item) => item.namespace,
  summary: ({ id, title, namespace }) => summarize({ id, title, namespace }),
};
