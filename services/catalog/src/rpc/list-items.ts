import { ListItemsResponseSchema } from "@storefront/contracts/catalog/v1/catalog_service";
import { encoded, EncodedWriter, RequestCheck } from "@storefront/rpc";
import type { ItemStore } from "../store/item-store.ts";
import type { CatalogHandlers } from "./handlers.ts";

const { items, totalSize } = ListItemsResponseSchema.field;

export function listItems(deps: { items: ItemStore }): CatalogHandlers["listItems"] {
  return async (request) => {
    const check = new RequestCheck();
    const range = check.page(request, { defaultSize: 10, maxSize: 50 });
    check.done();

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
