import { unavailable } from "@storefront/rpc";
import type { DocumentImportParameters } from "typesense";
import type { EntryDocument, IndexWrites } from "../index-documents.ts";
import { GenerationMissingError } from "../search-engine.ts";
import type { RefusedDocument } from "../search-engine.ts";
import { termToken } from "./collections.ts";
import type { Collections } from "./collections.ts";
import {
  embedding,
  offerFields,
  orderOf,
  pricesFields,
  removedOfferFields,
  vectorFields,
} from "./offer-fields.ts";
import type { Fields } from "./offer-fields.ts";
import { isPassing, reach, statusOf, unlessMissing } from "./typesense-client.ts";
import type { TypesenseConnection } from "./typesense-client.ts";

/** What writes are made with. */
interface WriteDependencies {
  readonly connection: TypesenseConnection;
  /** For a write, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Members after which no vector of an offer counts. */
  readonly noVectors: Fields;
}

/** Applies writes to a generation; resolves with what the server refuses. Rejects as {@link importDocuments}. */
export async function writeIndex(
  { connection, writeTimeoutMs, noVectors }: WriteDependencies,
  collections: Collections,
  writes: IndexWrites,
  ending?: AbortSignal,
): Promise<RefusedDocument[]> {
  const { offers = [], removedOffers = [], prices = [], pricesAreCopied = false } = writes;
  const { entries = [], removedEntries = [] } = writes;
  const { vectors = [], vectorSet = 0, embedded = [], removedVectors = [] } = writes;
  const documents = new Map<string, Fields>();
  const merge = (id: string, fields: Fields) =>
    documents.set(id, { ...documents.get(id), ...fields, id });
  for (const offer of offers) merge(offer.offerId, offerFields(offer));
  for (const id of removedOffers) merge(id, removedOfferFields());
  for (const price of prices) merge(price.offerId, pricesFields(price, pricesAreCopied));
  for (const id of removedVectors) merge(id, noVectors);
  const fields = vectorFields[vectorSet];
  for (const { offerId, vector } of vectors) {
    merge(offerId, { [fields.vector]: [...vector], [fields.counts]: true });
  }
  for (const id of embedded) merge(id, { [embedding.counts]: true });
  const timeout = AbortSignal.timeout(writeTimeoutMs);
  const signal = ending === undefined ? timeout : AbortSignal.any([ending, timeout]);
  const into = (collection: string) => ({ connection, collection, signal });
  const refusedOffers = await importDocuments(into(collections.offers), [...documents.values()]);
  const refusedEntries = await importDocuments(into(collections.entries), entries.map(entryFields));
  await removeDocuments(into(collections.entries), removedEntries);
  return [
    // An offer and its prices are one document.
    ...refusedOffers.flatMap((line): RefusedDocument[] => [
      { ...line, kind: "offer" },
      { ...line, kind: "price" },
    ]),
    ...refusedEntries.map((line): RefusedDocument => ({ ...line, kind: "entry" })),
  ];
}

/** Stand for what an entry is about. */
export const contextTypeToken = (type: string) => termToken({ kind: "contextType", value: type });
export const contextIdToken = (id: string) => termToken({ kind: "contextId", value: id });

function entryFields({
  entryId,
  timestampMs,
  contextType,
  contextId,
  text,
}: EntryDocument): Fields {
  return {
    id: entryId,
    timestamp: timestampMs,
    terms: `${contextTypeToken(contextType)} ${contextIdToken(contextId)}`,
    text,
    // 16 bytes order it: the first letter of the log's name is enough for its number to be among them.
    ...orderOf(entryId.replace(/^([a-z])[a-z]*-/, "$1")),
  };
}

/** Lines of one request. */
const batchSize = 1_000;

/** One is on its way while the server applies another. */
const requestsAtOnce = 2;

/** Where documents go, until when, and how. */
interface ImportTarget {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  /** Ends the import, which then rejects. */
  readonly signal: AbortSignal;
  readonly parameters?: DocumentImportParameters;
}

/** A document, by its id, that the server refuses. */
interface RefusedLine {
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
          .import(batch.map(asciiJsonOf).join("\n"), {
            ...parameters,
            action: "emplace",
            // Integers of 64 bits are sent as texts.
            dirty_values: "coerce_or_reject",
            throwOnFail: false,
          }),
      signal,
    );
  try {
    const response = await reach("documents/import", send);
    const lines = response.split("\n").map((line): ImportedLine => JSON.parse(line));
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
 * JSON of ASCII alone. Of a body that the server reads in several parts it loses a character whose bytes are in two of
 * them (about one of 512 KiB, Typesense 29.0), without refusing the line.
 */
function asciiJsonOf(document: Document): string {
  return JSON.stringify(document).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** What the server says of a document. */
interface ImportedLine {
  readonly success: boolean;
  readonly error?: string;
  readonly code?: number;
}

/**
 * @throws ServiceError UNAVAILABLE when the line may be taken another time.
 */
function refusalOf({ success, error, code }: ImportedLine, id: string): RefusedLine[] {
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
async function removeDocuments(
  { connection, collection, signal }: ImportTarget,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    if (signal.aborted) throw unavailable("typesense", signal.reason);
    const documents = connection.client.collections(collection).documents(id);
    await reach("documents/delete", () => documents.delete().catch(unlessMissing));
  }
}
