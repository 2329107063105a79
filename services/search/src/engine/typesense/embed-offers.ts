import { ServiceError } from "@storefront/rpc";
import { embeddingFailed, plainText } from "../../embedder/embedder.ts";
import type { OfferText } from "../../embedder/embedder.ts";
import { SearchRefused } from "./search-collections.ts";
import { importDocuments } from "./write-index.ts";
import type { TypesenseConnection } from "./typesense-client.ts";
import { embedding } from "./offer-fields.ts";

/** Longest wait for the vectors of a batch, in milliseconds; no transaction is open. */
const timeoutMs = 15_000;

/** Longest wait of the server for a model's endpoint, in milliseconds. */
const endpointTimeoutMs = 10_000;

/**
 * Sends texts to embed; vectors of these offers are ignored until a write makes the new ones effective.
 *
 * @throws ServiceError UNAVAILABLE: EMBEDDING_FAILED when the server refuses a text, as it does when its model fails.
 */
export async function embedOffers(
  connection: TypesenseConnection,
  collection: string,
  offers: readonly OfferText[],
): Promise<void> {
  const parameters = {
    remote_embedding_timeout_ms: endpointTimeoutMs,
    remote_embedding_num_tries: 1,
  };
  const [refused] = await importDocuments(
    { connection, collection, signal: AbortSignal.timeout(timeoutMs), parameters },
    offers.map((offer) => ({
      id: offer.offerId,
      [embedding.text]: plainText(offer),
      [embedding.counts]: false,
    })),
  );
  if (refused !== undefined) throw embeddingFailed(new Error(refused.reason));
}

/**
 * Awaits a search whose query the server embeds. A refusal or timeout is attributed to the model.
 *
 * @throws ServiceError UNAVAILABLE: EMBEDDING_FAILED.
 */
export async function withEmbeddingErrors<Result>(search: Promise<Result>): Promise<Result> {
  try {
    return await search;
  } catch (error) {
    const refusal = error instanceof ServiceError ? error.cause : error;
    throw refusal instanceof SearchRefused && refusal.status !== 404
      ? embeddingFailed(refusal)
      : error;
  }
}
