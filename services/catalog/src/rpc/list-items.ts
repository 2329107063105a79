import {
  ListItemsRequestSchema,
  ListItemsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter, pageOf } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

const { items, totalSize } = ListItemsResponseSchema.field;

export function listItems(deps: { items: ItemStore }): CatalogHandlers["listItems"] {
  return async (request) => {
    const range = pageOf(ListItemsRequestSchema, request);

    const page = await deps.items.listAll(range);
    return encoded(
      ListItemsResponseSchema,
      new EncodedWriter()
        .messages(
          items.number,
          page.rows.map(({ record }) => record),
        )
        .varint(totalSize.number, page.totalSize)
        .finish(),
    );
  };
}
