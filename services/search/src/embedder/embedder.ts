import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";

/** Text of an offer as an embedder sees it. */
export interface OfferText {
  readonly offerId: string;
  readonly title: string;
  readonly description: string;
  /** Names. */
  readonly tags: readonly string[];
  readonly developer: string;
  readonly publisher: string;
}

/** Makes vectors of texts, such that near meanings are near vectors. */
export interface Embedder {
  /** Name and model, for example `openai:text-embedding-3-small`; vectors of two models never mix. */
  readonly model: string;
  readonly dimensions: number;
  /** How many offers are best given at once. */
  readonly batchSize: number;
  /**
   * Learns from the whole catalogue, for models that are made of it. Called before a new generation is
   * filled, and when the catalogue has outgrown it; what it gives is stored with the generation, and
   * given to the methods below with every call for that generation's vectors, in this process or a later
   * one. Undefined when the model needs nothing of the kind.
   */
  train?(offers: AsyncIterable<OfferText>): Promise<Uint8Array>;
  /**
   * Vectors of queries, one for each text, of unit length.
   *
   * @param trained what `train` gave for the generation that the vectors are compared in.
   * @throws ServiceError UNAVAILABLE, EMBEDDING_FAILED, when the backend fails, is late, or gives
   * vectors of another dimension.
   */
  embedQueries(texts: readonly string[], context: EmbeddingContext): Promise<Float32Array[]>;
  /** Vectors of offers, one for each, of unit length. Errors as above. */
  embedOffers(offers: readonly OfferText[], context: EmbeddingContext): Promise<Float32Array[]>;
}

/** What a call is made with. */
interface EmbeddingContext {
  /** What `train` gave for the generation; undefined when the model is not trained. */
  readonly trained: Uint8Array | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** What an embedder throws when what it asks fails, is late, or gives something else than vectors. */
export function embeddingFailed(cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.EMBEDDING_FAILED,
    message: "the embedding backend returned an invalid response",
    cause,
  });
}

/** Of an offer's text, in UTF-8: within the 8,191 tokens that OpenAI's models take, none of which is less than a byte. */
const maxTextBytes = 8_000;

/** What a language model is given of an offer; never empty, which endpoints refuse. */
export function plainText(offer: OfferText): string {
  const { offerId, title, tags, description, developer, publisher } = offer;
  const makers = [...new Set([developer, publisher])].join(", ");
  const lines = [title, tags.join(", "), makers, description].filter((line) => line.trim() !== "");
  const bytes = Buffer.from(lines.join("\n") || offerId).subarray(0, maxTextBytes);
  // A letter that is cut in two is left out.
  return new TextDecoder().decode(bytes, { stream: true });
}

export function lengthOf(vector: Float32Array): number {
  let square = 0;
  for (const value of vector) square += value * value;
  return Math.sqrt(square);
}

/** Makes a vector one of unit length; zeros stay. */
export function toUnitLength(vector: Float32Array): void {
  const scale = 1 / lengthOf(vector);
  if (scale === Infinity) return;
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) * scale;
}
