import type { Queryable } from "@storefront/database";
import { inOrder } from "./in-order.ts";
import { toPage } from "./page.ts";
import type { Page, PageRange } from "./page.ts";
import type { RecordRow } from "./record-row.ts";

/** An item with what its builds are looked up by. */
export interface ItemRow extends RecordRow {
  namespace: string | null;
  app_ids: string[];
}

/** Reads items. */
export interface ItemStore {
  get(itemId: string): Promise<ItemRow | undefined>;
  /** Known items in the order of the ids, each once. */
  list(itemIds: readonly string[]): Promise<RecordRow[]>;
  /** All items, newest `last_modified_date` first. */
  listAll(range: PageRange): Promise<Page<RecordRow>>;
}

const getItem = {
  name: "catalog.getItem",
  text: "select record, namespace, app_ids from catalog.item where id = $1",
};

const listItems = {
  name: "catalog.listItems",
  text: "select id, record from catalog.item where id = any($1)",
};

// The rows to skip are read from the index alone; only those of the page are fetched.
const listAllItems = {
  name: "catalog.listAllItems",
  text: `
    select item_count.count as total, item.record
    from catalog.item_count
    left join catalog.item on item.id = any(array(
      select id
      from catalog.item
      order by last_modified_date desc nulls last, id
      limit $1 offset $2
    ))
    order by item.last_modified_date desc nulls last, item.id`,
};

export function createItemStore(database: Queryable): ItemStore {
  return {
    get: (itemId) => database.readOne<ItemRow>(getItem, [itemId]),

    async list(itemIds) {
      return inOrder(
        itemIds,
        await database.read<RecordRow & { id: string }>(listItems, [itemIds]),
      );
    },

    async listAll({ offset, pageSize }) {
      return toPage(
        await database.read<{ total: bigint; record: Uint8Array | null }>(listAllItems, [
          pageSize,
          offset,
        ]),
      );
    },
  };
}
