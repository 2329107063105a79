import type { Queryable } from "@storefront/database";
import { inOrder, toPage } from "./rows.ts";
import type { Page, PageRange, RecordRow } from "./rows.ts";

/** An item with what its builds are looked up by. */
export interface ItemRow extends RecordRow {
  namespace: string | null;
  app_ids: string[];
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

export class ItemStore {
  readonly #database: Queryable;

  constructor(database: Queryable) {
    this.#database = database;
  }

  async get(itemId: string): Promise<ItemRow | undefined> {
    return await this.#database.readOne(getItem, [itemId]);
  }

  /** Known items in the order of the ids, each once. */
  async list(itemIds: readonly string[]): Promise<RecordRow[]> {
    const rows = await this.#database.read<RecordRow & { id: string }>(listItems, [itemIds]);
    return inOrder(itemIds, rows);
  }

  /** All items, newest `last_modified_date` first. */
  async listAll({ offset, pageSize }: PageRange): Promise<Page<RecordRow>> {
    const rows = await this.#database.read<{ total: bigint; record: Uint8Array | null }>(
      listAllItems,
      [pageSize, offset],
    );
    return toPage(rows);
  }
}
