import { unavailable } from "@storefront/rpc";
import type { DocumentImportParameters } from "typesense";
import { GenerationMissingError } from "../search-engine.ts";
import { isPassing, reach, statusOf, unlessMissing } from "./typesense-client.ts";
import type { TypesenseConnection } from "./typesense-client.ts";

/** Lines of one request. */
const batchSize = 1_000;

/** One is on its way while the server applies another. */
const requestsAtOnce = 2;

/** Where documents go, until when, and how. */
export interface ImportTarget {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  /** Ends the import, which then rejects. */
  readonly signal: AbortSignal;
  readonly parameters?: DocumentImportParameters;
}

/** A document, by its id, that the server refuses. */
export interface RefusedLine {
  readonly id: string;
  readonly reason: string;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * Merges documents into those with their ids, or creates them. Doing it twice does no harm.
 *
 * @param documents each id once.
 * @returns the documents that the server refuses for what they are.
 * @throws ServiceError UNAVAILABLE when the server cannot be reached, is too slow, or cannot do it now: some may have
 *   been written, and all are to be sent again. GenerationMissingError when there is no such collection. No request is
 *   under way when it rejects.
 */
export async function importDocuments(
  target: ImportTarget,
  documents: readonly Document[],
): Promise<RefusedLine[]> {
  const refused: RefusedLine[] = [];
  const batches = batchesOf(documents);
  const send = async () => {
    // An error closes the generator, so that the other sender stops after its request.
    for (const batch of batches) refused.push(...(await importBatch(target, batch)));
  };
  const senders = Array.from({ length: requestsAtOnce }, send);
  await Promise.allSettled(senders);
  await Promise.all(senders);
  return refused;
}

function* batchesOf(documents: readonly Document[]) {
  for (let at = 0; at < documents.length; at += batchSize) {
    yield documents.slice(at, at + batchSize);
  }
}

async function importBatch(
  target: ImportTarget,
  batch: readonly Document[],
): Promise<RefusedLine[]> {
  const { connection, collection, signal, parameters } = target;
  const ids = batch.map(({ id }) => String(id));
  if (signal.aborted) throw unavailable("typesense", signal.reason);
  const send = () =>
    connection.sendImport(
      (client) =>
        client
          .collections<Document>(collection)
          .documents()
          .import([...batch], {
            ...parameters,
            action: "emplace",
            // Integers of 64 bits are sent as texts.
            dirty_values: "coerce_or_reject",
            throwOnFail: false,
          }),
      signal,
    );
  try {
    const lines = await reach("documents/import", send);
    if (lines.length !== batch.length) {
      const count = `${lines.length} of ${batch.length} lines answered`;
      throw unavailable("typesense", new Error(count));
    }
    return lines.flatMap((line, index) => refusalOf(line, ids[index] ?? ""));
  } catch (error) {
    const status = statusOf(error);
    if (status === 404) throw new GenerationMissingError(`there is no ${collection}`);
    if (status !== 400 && status !== 413) throw error;
    const reason = String(error);
    if (batch.length === 1) return ids.map((id) => ({ id, reason }));
    const half = Math.ceil(batch.length / 2);
    return [
      ...(await importBatch(target, batch.slice(0, half))),
      ...(await importBatch(target, batch.slice(half))),
    ];
  }
}

/**
 * @throws ServiceError UNAVAILABLE when the line may be taken another time.
 */
function refusalOf(
  { success, error, code }: { success: boolean; error?: string; code?: number },
  id: string,
): RefusedLine[] {
  if (success) return [];
  const reason = error ?? `code ${code}`;
  if (isPassing(code)) throw unavailable("typesense", new Error(`refused ${id}: ${reason}`));
  return [{ id, reason }];
}

/**
 * Removes documents by their ids; what is not there is gone already.
 *
 * @throws ServiceError UNAVAILABLE when the server cannot be reached or is too slow. Some may have been removed, and
 *   all are to be removed again.
 */
export async function removeDocuments(
  { connection, collection, signal }: ImportTarget,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) throw unavailable("typesense", signal.reason);
    const documents = connection.client.collections(collection).documents(id);
    await reach("documents/delete", () => documents.delete().catch(unlessMissing));
  }
}
