import { inSpan } from "@storefront/process";
import { z } from "zod";
import { embeddingFailed, plainText, toUnitLength } from "../embedder.ts";
import type { Embedder } from "../embedder.ts";

/** Texts per request; OpenAI's limit is 2,048, others' are lower. */
const maxBatch = 64;

/** Access to an OpenAI-compatible endpoint. */
interface OpenaiEmbedderOptions {
  /** Address without `/v1/embeddings`. */
  readonly url: string;
  /** Sent as a bearer token; local servers need none. */
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Dimensions of the model's vectors. */
  readonly dimensions: number;
  /**
   * Timeout for the vector of a query, in milliseconds. Default 2,000: the gateway waits 5,000, and retries once after
   * UNAVAILABLE.
   */
  readonly queryTimeoutMs?: number;
  /** Timeout for a batch of offers, in milliseconds; default 10,000. */
  readonly batchTimeoutMs?: number;
}

/** An embedder by an OpenAI-compatible `/v1/embeddings` endpoint. */
export function createOpenaiEmbedder(options: OpenaiEmbedderOptions): Embedder {
  const { model, dimensions, queryTimeoutMs = 2_000, batchTimeoutMs = 10_000 } = options;
  const { hostname, port } = new URL(options.url);
  const attributes = {
    "gen_ai.operation.name": "embeddings",
    "gen_ai.provider.name": "openai",
    "gen_ai.request.model": model,
    "gen_ai.embeddings.dimension.count": dimensions,
    "server.address": hostname,
    "server.port": Number(port) || undefined,
  };
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
        const response = await inSpan(
          `embeddings ${model}`,
          () => request(options, batch, either),
          () => ({ kind: "client", attributes }),
        );
        vectors.push(...readResponse(response, { count: batch.length, dimensions }));
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
    batchSize: maxBatch,
    embedQueries: (texts, { signal }) => embed(texts, { timeoutMs: queryTimeoutMs, signal }),
    embedOffers: (offers, { signal }) =>
      embed(offers.map(plainText), { timeoutMs: batchTimeoutMs, signal }),
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
    throw new Error(`the endpoint responded with ${response.status}`);
  }
  return await response.json();
}

const zResponse = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()) })),
});

/**
 * The vectors of a response, in the order of the texts, of unit length.
 *
 * @throws Error for an invalid response: missing or duplicate vectors, zero vectors, or other dimensions.
 */
function readResponse(
  response: unknown,
  { count, dimensions }: { count: number; dimensions: number },
): Float32Array[] {
  const { data } = zResponse.parse(response);
  const byIndex = new Map(data.map(({ index, embedding }) => [index, embedding]));
  if (data.length !== count) throw new Error(`${data.length} vectors for ${count} texts`);
  return Array.from({ length: count }, (_, index) => {
    const embedding = byIndex.get(index);
    if (embedding?.length !== dimensions) {
      throw new Error(`a vector has ${embedding?.length ?? 0} dimensions, not ${dimensions}`);
    }
    const vector = Float32Array.from(embedding);
    toUnitLength(vector);
    if (!vector.every(Number.isFinite) || vector.every((value) => value === 0)) {
      throw new Error("a vector has no direction");
    }
    return vector;
  });
}
