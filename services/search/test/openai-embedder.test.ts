import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { ServiceError } from "@storefront/rpc";
import { startEmbeddingEndpoint } from "@storefront/testkit";
import type { EmbeddingEndpoint, EndpointMood } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createOpenaiEmbedder } from "../src/index.ts";
import type { Embedder } from "../src/index.ts";

let endpoint: EmbeddingEndpoint;
let embedder: Embedder;
const context = { trained: undefined };
beforeAll(async () => {
  endpoint = await startEmbeddingEndpoint();
  embedder = embedderWith(20_000);
});
afterAll(() => endpoint.close());

function embedderWith(queryTimeoutMs: number): Embedder {
  const model = { apiKey: "secret", model: "small", dimensions: 4 };
  return createOpenaiEmbedder({ url: endpoint.url, ...model, queryTimeoutMs });
}

it("sends batches with model and key, and returns unit vectors in the order of the texts", async () => {
  endpoint.requests.length = 0;
  const texts = Array.from({ length: 100 }, (_, n) => (n % 3 === 0 ? `near ${n}` : `far ${n}`));
  const vectors = await embedder.embedQueries(texts, context);
  expect(endpoint.requests.map(({ input }) => input.length)).toEqual([64, 36]);
  expect(endpoint.requests[0]?.model).toBe("small");
  expect(endpoint.authorizations.at(-1)).toBe("Bearer secret");
  expect(vectors).toHaveLength(100);
  for (const [n, vector] of vectors.entries()) {
    const expected = n % 3 === 0 ? [0.6, 0, 0, 0.8] : [0, Math.SQRT1_2, Math.SQRT1_2, 0];
    expect(vector).toEqual(Float32Array.from(expected));
  }
});

it.each<EndpointMood>(["never", "failing", "short"])(
  'rejects when the behaviour of the endpoint is "%s"',
  async (mood) => {
    endpoint.mood = mood;
    const asked = embedderWith(mood === "never" ? 100 : 20_000).embedQueries(["x"], context);
    const failure = await asked.catch((error: unknown) => error);
    endpoint.mood = "well";
    expect(failure).toBeInstanceOf(ServiceError);
    expect((failure as ServiceError).reason).toBe(ErrorReason.EMBEDDING_FAILED);
  },
);

it("ends when its caller aborts, with the caller's reason", async () => {
  endpoint.mood = "never";
  const reason = new Error("no longer wanted");
  const signal = AbortSignal.abort(reason);
  await expect(embedder.embedQueries(["x"], { ...context, signal })).rejects.toBe(reason);
  endpoint.mood = "well";
});
