import { unavailable } from "@storefront/rpc";
import type { ImportTarget } from "./import-documents.ts";
import { reach, statusOf } from "./typesense-client.ts";

/**
 * Removes documents by their ids; what is not there is gone already.
 *
 * @throws ServiceError UNAVAILABLE when the server cannot be reached or is too slow. Some may have been removed, and
 *   all are to be removed again.
 */
export async function removeDocuments(
  { connection, collection, deadline }: ImportTarget,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    deadline.allow(1);
    if (deadline.isOver) throw unavailable("typesense", new Error("the write takes too long"));
    await reach("documents/delete", async () => {
      try {
        await connection.client.collections(collection).documents(id).delete();
      } catch (error) {
        if (statusOf(error) !== 404) throw error;
      }
    });
  }
}
