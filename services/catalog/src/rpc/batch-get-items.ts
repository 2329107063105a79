import { BatchGetItemsResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import { recordsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function batchGetItems(deps: { items: ItemStore }): CatalogHandlers["batchGetItems"] {
  return async ({ itemIds }) => {
    const rows = await deps.items.list(itemIds);
    return encodedOf(BatchGetItemsResponseSchema, { items: recordsOf(rows) });
  };
}
