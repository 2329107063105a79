import { unavailable } from "@storefront/rpc";
import type { DocumentImportParameters } from "typesense";
import { reach, unlessMissing } from "./typesense-client.ts";
import type { TypesenseConnection, WriteDeadline } from "./typesense-client.ts";

/** Lines of one request. */
const batchSize = 200;

/** Where documents go, until when, and how. */
export interface ImportTarget {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  readonly deadline: WriteDeadline;
  readonly parameters?: DocumentImportParameters;
  /** Makes the error of a line that the server refuses; default UNAVAILABLE. */
  readonly refusal?: (cause: Error) => Error;
}

/**
 * Merges documents into those with their ids, or creates them. Doing it twice does no harm.
 *
 * @throws ServiceError UNAVAILABLE when the server cannot be reached or is too slow; that, or what the
 *   target says, when it refuses any line. Some may have been written, and all are to be sent again.
 */
export async function importDocuments(
  target: ImportTarget,
  documents: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const { connection, collection, deadline, parameters } = target;
  const { refusal = (cause) => unavailable("typesense", cause) } = target;
  for (let at = 0; at < documents.length; at += batchSize) {
    const batch = documents.slice(at, at + batchSize);
    deadline.allow(batch.length);
    const lines = await reach("documents/import", () =>
      connection.sendImport(
        (client) =>
          client
            .collections<Record<string, unknown>>(collection)
            .documents()
            .import(batch, { ...parameters, action: "emplace", throwOnFail: false }),
        deadline,
      ),
    );
    const index = lines.findIndex(({ success }) => !success);
    if (index === -1 && lines.length === batch.length) continue;
    const reason = lines[index]?.error ?? `${lines.length} of ${batch.length} lines answered`;
    const id = String(batch[index]?.["id"]);
    throw refusal(new Error(`${collection} refused ${id}: ${reason}`));
  }
}

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
    const documents = connection.client.collections(collection).documents(id);
    await reach("documents/delete", () => documents.delete().catch(unlessMissing));
  }
}
