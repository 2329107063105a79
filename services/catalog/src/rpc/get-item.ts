import { GetItemResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encodedOf } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import type { CatalogHandlers } from "./handlers.ts";
import { itemNotFound } from "./not-found-errors.ts";

export function getItem(deps: { items: ItemStore }): CatalogHandlers["getItem"] {
  return async ({ itemId }) => {
    const row = await deps.items.get(itemId);
    if (row === undefined) throw itemNotFound(itemId);
    return encodedOf(GetItemResponseSchema, { item: row.record });
  };
}
