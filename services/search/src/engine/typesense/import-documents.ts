import { unavailable } from "@storefront/rpc";
import { reach } from "./typesense-client.ts";
import type { TypesenseConnection } from "./typesense-client.ts";

/** Lines of one request. */
const batchSize = 200;

/**
 * Merges documents into those with their ids, or creates them. Doing it twice does no harm.
 *
 * @throws ServiceError UNAVAILABLE when the server cannot be reached, or refuses any line: the others
 *   may have been written, and all are to be sent again.
 */
export async function importDocuments(
  connection: TypesenseConnection,
  collection: string,
  documents: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  for (let at = 0; at < documents.length; at += batchSize) {
    const batch = documents.slice(at, at + batchSize);
    const lines = await reach(
      connection.sendImport((client) =>
        client
          .collections<Record<string, unknown>>(collection)
          .documents()
          .import(batch, { action: "emplace", throwOnFail: false }),
      ),
    );
    const index = lines.findIndex(({ success }) => !success);
    if (index === -1 && lines.length === batch.length) continue;
    const reason = lines[index]?.error ?? `${lines.length} of ${batch.length} lines answered`;
    const id = String(batch[index]?.["id"]);
    throw unavailable("typesense", new Error(`${collection} refused ${id}: ${reason}`));
  }
}
