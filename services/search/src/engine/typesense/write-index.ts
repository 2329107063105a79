import { indexWords } from "../../domain/text-words.ts";
import type { EntryDocument, IndexWrites } from "../index-documents.ts";
import type { Collections } from "./collections.ts";
import type { KnownWords } from "./known-words.ts";
import { offerFields, pricesFields, removedOfferFields, wordsOf } from "./offer-fields.ts";
import type { Fields } from "./offer-fields.ts";
import { importDocuments, removeDocuments } from "./send-documents.ts";
import { orderKey, searchableTokens, valueToken } from "./tokens.ts";
import { WriteDeadline } from "./typesense-client.ts";
import type { TypesenseConnection } from "./typesense-client.ts";
import { embedding, vectorFields } from "./vector-fields.ts";

/** What writes are made with. */
export interface WriteDependencies {
  readonly connection: TypesenseConnection;
  readonly words: KnownWords;
  /** For all lines of a write, in milliseconds; see {@link WriteDeadline}. */
  readonly writeTimeoutMs: number;
  /** Members that take the vectors of an offer away. */
  readonly noVectors: Fields;
}

/** Applies writes to a generation; resolves when the server has taken every line. */
export async function writeIndex(
  { connection, words, writeTimeoutMs, noVectors }: WriteDependencies,
  collections: Collections,
  writes: IndexWrites,
): Promise<void> {
  const { offers = [], removedOffers = [], prices = [] } = writes;
  const { entries = [], removedEntries = [] } = writes;
  const { vectors = [], vectorSet = 0, embedded = [], removedVectors = [] } = writes;
  const documents = new Map<string, Fields>();
  const merge = (id: string, fields: Fields) =>
    documents.set(id, { ...documents.get(id), ...fields, id });
  for (const offer of offers) merge(offer.offerId, offerFields(offer));
  for (const id of removedOffers) merge(id, removedOfferFields());
  for (const price of prices) merge(price.offerId, pricesFields(price));
  for (const id of removedVectors) merge(id, noVectors);
  for (const { offerId, vector } of vectors)
    merge(offerId, { [vectorFields[vectorSet]]: [...vector] });
  for (const id of embedded) merge(id, { [embedding.counts]: true });
  const deadline = new WriteDeadline(writeTimeoutMs);
  // Words first: an offer that is there can be found by what is nearly its words.
  await words.add(collections.words, offers.flatMap(wordsOf), deadline);
  const into = (collection: string) => ({ connection, collection, deadline });
  await importDocuments(into(collections.offers), [...documents.values()]);
  await importDocuments(into(collections.entries), entries.map(entryFields));
  await removeDocuments(into(collections.entries), removedEntries);
}

/** Stand for what an entry is about. */
export const contextTypeToken = (type: string) => valueToken("contextType", type);
export const contextIdToken = (id: string) => valueToken("contextId", id);

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
    words: searchableTokens(indexWords(text)),
    id_order: orderKey(entryId),
  };
}
