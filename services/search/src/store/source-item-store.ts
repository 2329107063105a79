import { bulkDelete, bulkUpsert } from "@storefront/database";
import type { Transaction } from "@storefront/database";

/** What is kept of an item. */
export interface SourceItem {
  readonly id: string;
  readonly namespace: string | undefined;
  readonly isExecutable: boolean;
  readonly appIds: readonly string[];
}

const byId = [{ name: "id", type: "text" }];

/** Stores items as they are now, and takes away those that are gone. */
export async function storeItems(
  tx: Transaction,
  items: readonly SourceItem[],
  removedIds: readonly string[],
): Promise<void> {
  await bulkUpsert(
    tx,
    {
      table: "search.source_item",
      keyColumns: ["id"],
      columns: [
        ...byId,
        { name: "namespace", type: "text" },
        { name: "is_executable", type: "boolean" },
        { name: "app_ids", type: "text[]" },
      ],
    },
    items.map(({ id, namespace, isExecutable, appIds }) => ({
      id,
      namespace,
      is_executable: isExecutable,
      app_ids: appIds,
    })),
  );
  await bulkDelete(
    tx,
    { table: "search.source_item", keyColumns: byId },
    removedIds.map((id) => ({ id })),
  );
}
