import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** Text of an offer for an embedder. */
export interface OfferText {
  readonly offerId: string;
  readonly title: string;
  readonly description: string;
  /** Names. */
  readonly tags: readonly string[];
  readonly developer: string;
  readonly publisher: string;
}

/** Makes vectors of texts; similar meanings have near vectors. */
export interface Embedder {
  /** Name and model, for example `openai:text-embedding-3-small`; vectors of two models never mix. */
  readonly model: string;
  readonly dimensions: number;
  /** Best number of offers per call. */
  readonly batchSize: number;
  /**
   * Trains on the whole catalogue. Called before a new generation is filled, and when the catalogue has outgrown the
   * last training; the result is stored with the generation and passed to each call for its vectors, in this process or
   * a later one. Undefined for a model without training.
   */
  train?(offers: AsyncIterable<OfferText>): Promise<Uint8Array>;
  /**
   * Vectors of queries, one for each text, of unit length.
   *
   * @throws ServiceError UNAVAILABLE, EMBEDDING_FAILED, when the backend fails, is late, or returns vectors of another
   * dimension.
   */
  embedQueries(texts: readonly string[], context: EmbeddingContext): Promise<Float32Array[]>;
  /** Vectors of offers, one for each, of unit length. Errors as above. */
  embedOffers(offers: readonly OfferText[], context: EmbeddingContext): Promise<Float32Array[]>;
}

interface EmbeddingContext {
  /** The generation's training by `train`; undefined when the model is not trained. */
  readonly trained: Uint8Array | undefined;
  /** Aborts the call. */
  readonly signal?: AbortSignal | undefined;
}

/** Thrown by an embedder whose backend fails, is late, or returns no valid vectors. */
export function embeddingFailed(cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.EMBEDDING_FAILED,
    message: "the embedding backend returned an invalid response",
    cause,
  });
}

/** UTF-8 bytes of an offer's text: within the 8,191 tokens of OpenAI's models, since a token has at least one byte. */
const maxTextBytes = 8_000;

/** An offer's text for a language model; never empty, since endpoints refuse that. */
export function plainText(offer: OfferText): string {
  const { offerId, title, tags, description, developer, publisher } = offer;
  const makers = [...new Set([developer, publisher])].join(", ");
  const lines = [title, tags.join(", "), makers, description].filter((line) => line.trim() !== "");
  const bytes = Buffer.from(lines.join("\n") || offerId).subarray(0, maxTextBytes);
  // Leaves out a character that is cut.
  return new TextDecoder().decode(bytes, { stream: true });
}

export function lengthOf(vector: Float32Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}

/** Scales a vector to unit length; zeros stay. */
export function toUnitLength(vector: Float32Array): void {
  const scale = 1 / lengthOf(vector);
  if (scale === Infinity) return;
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
}
