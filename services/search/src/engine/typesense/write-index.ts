import type { EntryDocument, IndexWrites } from "../index-documents.ts";
import type { RefusedDocument } from "../search-engine.ts";
import type { Collections } from "./collections.ts";
import { offerFields, orderOf, pricesFields, removedOfferFields } from "./offer-fields.ts";
import type { Fields } from "./offer-fields.ts";
import { importDocuments, removeDocuments } from "./send-documents.ts";
import { termToken } from "./term-fields.ts";
import type { TypesenseConnection } from "./typesense-client.ts";
import { embedding, vectorFields } from "./vector-fields.ts";

/** What writes are made with. */
export interface WriteDependencies {
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
    ...orderOf(entryId),
  };
}
