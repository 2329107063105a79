import { TagSchema } from "@storefront/contracts/catalog/v1/tag";
import type { RecordKind } from "@storefront/ingest";

/** Tags that offers refer to. */
export const tagKind: RecordKind<typeof TagSchema> = {
  name: "tag",
  schema: TagSchema,
  table: "catalog.tag",
  columns: [{ name: "status", type: "text", value: (tag) => tag.status }],
};
