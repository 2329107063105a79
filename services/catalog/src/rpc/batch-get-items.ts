import { BatchGetItemsResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

const { items } = BatchGetItemsResponseSchema.field;

export function batchGetItems(deps: { items: ItemStore }): CatalogHandlers["batchGetItems"] {
  return async ({ itemIds }) => {
    const rows = await deps.items.list(itemIds);
    return encoded(
      BatchGetItemsResponseSchema,
      new EncodedWriter()
        .messages(
          items.number,
          rows.map(({ record }) => record),
        )
        .finish(),
    );
  };
}
