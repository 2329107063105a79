import {
  ListItemsRequestSchema,
  ListItemsResponseSchema,
} from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import { recordsOf } from "../store/rows.ts";
import type { CatalogHandlers } from "./handlers.ts";

export function listItems(deps: { items: ItemStore }): CatalogHandlers["listItems"] {
  return async (request) => {
    const range = pageOf(ListItemsRequestSchema, request);

    const page = await deps.items.listAll(range);
    return encodedOf(ListItemsResponseSchema, {
      items: recordsOf(page.rows),
      totalSize: page.totalSize,
    });
  };
}
