import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import type { Embedder, OfferText } from "../embedder.ts";
import { readAnswer } from "./read-answer.ts";

/** Texts in one request; OpenAI's own limit is 2,048, others' are lower. */
const maxBatch = 64;
/** UTF-16 units of an offer's text: within the 8,191 tokens that OpenAI's models take. */
const maxTextLength = 8_000;

/** Where and how to reach an OpenAI-compatible endpoint. */
export interface OpenaiEmbedderOptions {
  /** Address up to, without, `/v1/embeddings`. */
  readonly url: string;
  /** Sent as a bearer token; local servers need none. */
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Dimensions of the model's vectors. */
  readonly dimensions: number;
  /** Longest wait for the vector of a query, in milliseconds; default 5,000. */
  readonly queryTimeoutMs?: number;
  /** Longest wait for a batch of offers, in milliseconds; default 30,000. */
  readonly batchTimeoutMs?: number;
}

/** An embedder that asks any OpenAI-compatible `/v1/embeddings` endpoint. */
export function createOpenaiEmbedder(options: OpenaiEmbedderOptions): Embedder {
  const { model, dimensions, queryTimeoutMs = 5_000, batchTimeoutMs = 30_000 } = options;
  const embed = async (
    texts: readonly string[],
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
  ) => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += maxBatch) {
      const batch = texts.slice(at, at + maxBatch);
      const late = AbortSignal.timeout(timeoutMs);
      const either = signal === undefined ? late : AbortSignal.any([signal, late]);
      try {
        const answer = await request(options, batch, either);
        vectors.push(...readAnswer(answer, { count: batch.length, dimensions }));
      } catch (cause) {
        signal?.throwIfAborted();
        throw embeddingFailed(cause);
      }
    }
    return vectors;
  };
  return {
    model: `openai:${model}:${dimensions}`,
    dimensions,
    embedQueries: (texts, { signal }) => embed(texts, { timeoutMs: queryTimeoutMs, signal }),
    embedOffers: (offers, { signal }) =>
      embed(offers.map(textOf), { timeoutMs: batchTimeoutMs, signal }),
  };
}

async function request(
  { url, apiKey, model }: OpenaiEmbedderOptions,
  input: readonly string[],
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(`${url}/v1/embeddings`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, input, encoding_format: "float" }),
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`the endpoint answered ${response.status}`);
  }
  return await response.json();
}

/** Never empty, which endpoints refuse. */
function textOf({ offerId, title, tags, description, developer, publisher }: OfferText): string {
  const makers = [...new Set([developer, publisher])].join(", ");
  const lines = [title, tags.join(", "), makers, description].filter((line) => line.trim() !== "");
  return (lines.join("\n") || offerId).slice(0, maxTextLength);
}

function embeddingFailed(cause: unknown): ServiceError {
  return new ServiceError({
    code: Code.Unavailable,
    reason: ErrorReason.EMBEDDING_FAILED,
    message: "the embedding backend does not answer as it should",
    cause,
  });
}
