import type { CollectionFieldSchema } from "typesense";
import type { VectorSet } from "../vector-space.ts";

/** A model that the server embeds with by itself. */
export interface ServerModel {
  /** As the server calls it: `ts/e5-small` is one it runs, `openai/…` one of an endpoint. */
  readonly name: string;
  /** For models of an endpoint. */
  readonly apiKey?: string | undefined;
  /** For `openai/…` models of an endpoint that is not OpenAI's; without `/v1/embeddings`. */
  readonly url?: string | undefined;
}

/**
 * Fields of the two sets of vectors that are given, and of whether each counts: a vector that is taken out of a
 * document is still found.
 */
export const vectorFields: Readonly<Record<VectorSet, { vector: string; counts: string }>> = {
  0: { vector: "vector_0", counts: "has_vector_0" },
  1: { vector: "vector_1", counts: "has_vector_1" },
};

/** Fields of the vectors that the server makes: of which text, into which, and whether they count. */
export const embedding = {
  text: "meaning_text",
  vector: "meaning_vector",
  counts: "has_meaning",
} as const;

/** Fields for vectors that are given, of so many dimensions. */
export function givenVectorsSchema(dimensions: number): CollectionFieldSchema[] {
  return Object.values(vectorFields).flatMap(({ vector, counts }): CollectionFieldSchema[] => [
    { name: vector, type: "float[]", optional: true, num_dim: dimensions },
    { name: counts, type: "bool", optional: true },
  ]);
}

/** Fields for vectors that the server makes. */
export function madeVectorsSchema({ name, apiKey, url }: ServerModel): CollectionFieldSchema[] {
  const model = {
    model_name: name,
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(url === undefined ? {} : { url }),
  };
  return [
    { name: embedding.counts, type: "bool", optional: true },
    { name: embedding.text, type: "string", optional: true },
    {
      name: embedding.vector,
      type: "float[]",
      optional: true,
      embed: { from: [embedding.text], model_config: model },
    },
  ];
}

/** Members after which no given vector counts. */
export const noGivenVectors = Object.fromEntries(
  Object.values(vectorFields).map(({ counts }) => [counts, false]),
);

/** Members after which no made vector counts. Its text stays, so that the same one is not embedded again. */
export const noMadeVector = { [embedding.counts]: false };
