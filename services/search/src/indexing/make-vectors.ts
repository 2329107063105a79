import type { Embedder, OfferText } from "../embedder/embedder.ts";
import type { IndexWrites } from "../engine/index-documents.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { VectorSpace } from "../engine/vector-space.ts";
import type { Generation } from "../store/generation-store.ts";
import type { TrainingStore } from "../store/training-store.ts";

/** What vectors are made with: by an embedder, without one by the engine itself. */
export interface VectorDependencies {
  readonly engine: SearchEngine;
  readonly embedder: Embedder | undefined;
  readonly trainings: TrainingStore;
}

/** Vectors that an offer must have. */
export interface VectorTarget {
  readonly generation: number;
  readonly space: VectorSpace;
}

/** The part of a write that lets made vectors count. */
export type MadeVectors = Pick<IndexWrites, "vectors" | "vectorSet" | "embedded">;

/** Every kind of vectors that these generations need of an offer. */
export function vectorTargets(
  generations: readonly Generation[],
  signature: string,
): VectorTarget[] {
  return generations
    .filter((each) => each.signature === signature)
    .flatMap(({ number, space, nextSpace }) =>
      [space, nextSpace]
        .flatMap((each) => each ?? [])
        .map((each) => ({
          generation: number,
          space: each,
        })),
    );
}

/** Makes the vectors of offers, outside of any transaction. Errors are those of the embedder. */
export async function makeVectors(
  { engine, embedder, trainings }: VectorDependencies,
  { generation, space }: VectorTarget,
  texts: readonly OfferText[],
  signal: AbortSignal | undefined,
): Promise<MadeVectors> {
  if (texts.length === 0) return {};
  if (embedder === undefined) {
    await engine.ownEmbedding?.embedOffers(generation, texts);
    return { embedded: texts.map(({ offerId }) => offerId) };
  }
  const trained = await trainings.read(space.training);
  const made = await embedder.embedOffers(texts, { trained, signal });
  const vectors = texts.map(({ offerId }, index) => {
    const vector = made[index];
    if (vector === undefined) throw new Error("an embedder gives one vector for each text");
    return { offerId, vector };
  });
  return { vectors, vectorSet: space.set };
}

/** Those of these offers. */
export function ofOffers(
  { vectors = [], vectorSet = 0, embedded = [] }: MadeVectors,
  offerIds: ReadonlySet<string>,
): MadeVectors {
  return {
    vectors: vectors.filter(({ offerId }) => offerIds.has(offerId)),
    vectorSet,
    embedded: embedded.filter((offerId) => offerIds.has(offerId)),
  };
}
