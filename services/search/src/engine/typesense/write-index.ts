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
import type { PricedRegions } from "./priced-regions.ts";
import { isTransient, reach, statusOf, unlessMissing } from "./typesense-client.ts";
import type { TypesenseConnection } from "./typesense-client.ts";

interface WriteDependencies {
  readonly connection: TypesenseConnection;
  readonly pricedRegions: PricedRegions;
  /** Timeout of a write, in milliseconds. */
  readonly writeTimeoutMs: number;
  /** Members that disable an offer's vectors. */
  readonly noVectors: Fields;
}

/** Applies writes to a generation; resolves with refused documents. Rejects as {@link importDocuments}. */
export async function writeIndex(
  { connection, pricedRegions, writeTimeoutMs, noVectors }: WriteDependencies,
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
  if (prices.length > 0) {
    const written = prices.flatMap(({ regions = [], prices: present }) => [
      ...regions,
      ...present.map(({ region }) => region),
    ]);
    const regions = await pricedRegions.ensure(collections.offers, new Set(written));
    for (const price of prices) merge(price.offerId, pricesFields(price, regions, pricesAreCopied));
  }
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

/** Tokens of an entry's context. */
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
    // 16 bytes order it: the log's name is reduced to its first letter, so that its number is within them.
    ...orderOf(entryId.replace(/^([a-z])[a-z]*-/, "$1")),
  };
}

/** Lines per request. */
const batchSize = 1_000;

/** One is sent while the server applies another. */
const maxRequests = 2;

interface ImportTarget {
  readonly connection: TypesenseConnection;
  readonly collection: string;
  /** Aborts the import, which then rejects. */
  readonly signal: AbortSignal;
  readonly parameters?: DocumentImportParameters;
}

/** A document that the server refuses. */
interface RefusedLine {
  readonly id: string;
  readonly reason: string;
}

type Document = Readonly<Record<string, unknown>>;

/**
 * Creates documents, or merges them into existing ones. Idempotent.
 *
 * @param documents with distinct ids
 * @returns the documents that the server refuses for their content
 * @throws ServiceError UNAVAILABLE when the server is unreachable, too slow, or temporarily fails: some may be written,
 * and all must be sent again. GenerationMissingError without such a collection. No request is in progress when it
 * rejects.
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
  const senders = Array.from({ length: maxRequests }, send);
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
            // 64-bit integers are sent as strings.
            dirty_values: "coerce_or_reject",
            throwOnFail: false,
          }),
      signal,
    );
  try {
    const response = await reach("documents/import", send);
    const lines = response.split("\n").map((line): ImportedLine => JSON.parse(line));
    if (lines.length !== batch.length) {
      const count = `${lines.length} of ${batch.length} lines in the response`;
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
 * ASCII-only JSON: when the server reads a body in several parts, it loses a character that is split between two (about
 * one of 512 KiB, Typesense 29.0), without refusing the line.
 */
function asciiJsonOf(document: Document): string {
  return JSON.stringify(document).replaceAll(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The server's response to a line. */
interface ImportedLine {
  readonly success: boolean;
  readonly error?: string;
  readonly code?: number;
}

/** @throws ServiceError UNAVAILABLE when a retry may succeed. */
function refusalOf({ success, error, code }: ImportedLine, id: string): RefusedLine[] {
  if (success) return [];
  const reason = error ?? `code ${code}`;
  if (isTransient(code)) throw unavailable("typesense", new Error(`refused ${id}: ${reason}`));
  return [{ id, reason }];
}

/**
 * Removes documents by id, if they exist.
 *
 * @throws ServiceError UNAVAILABLE when the server is unreachable or too slow: some may be removed, and all must be
 * sent again.
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
