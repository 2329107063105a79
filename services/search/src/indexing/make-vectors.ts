import type { Embedder, OfferText } from "../embedder/embedder.ts";
import type { IndexWrites } from "../engine/index-documents.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import type { TrainingStore } from "../store/training-store.ts";
import type { VectorTarget } from "./vector-targets.ts";

/** What vectors are made with: by an embedder, without one by the engine itself. */
export interface VectorDependencies {
  readonly engine: SearchEngine;
  readonly embedder: Embedder | undefined;
  readonly trainings: TrainingStore;
}

/** The part of a write that lets made vectors count. */
export type MadeVectors = Pick<IndexWrites, "vectors" | "embedded">;

/**
 * Makes vectors of offers for targets of one kind, outside of any transaction: once for all of them,
 * but for an engine that embeds by itself. Errors are those of the embedder.
 */
export async function makeVectors(
  { engine, embedder, trainings }: VectorDependencies,
  targets: readonly VectorTarget[],
  texts: readonly OfferText[],
  signal: AbortSignal | undefined,
): Promise<MadeVectors> {
  const [target] = targets;
  if (target === undefined || texts.length === 0) return {};
  if (embedder === undefined) {
    for (const { generation } of targets) {
      await engine.ownEmbedding?.embedOffers(generation, texts);
    }
    return { embedded: texts.map(({ offerId }) => offerId) };
  }
  const trained = await trainings.read(target.space.training);
  const made = await embedder.embedOffers(texts, { trained, signal });
  const vectors = texts.map(({ offerId }, index) => {
    const vector = made[index];
    if (vector === undefined) throw new Error("an embedder gives one vector for each text");
    return { offerId, vector };
  });
  return { vectors };
}

/** Those of these offers, as a write to a target. */
export function writeOf(
  { vectors = [], embedded = [] }: MadeVectors,
  offerIds: ReadonlySet<string>,
  { space }: VectorTarget,
): IndexWrites {
  return {
    vectors: vectors.filter(({ offerId }) => offerIds.has(offerId)),
    vectorSet: space.set,
    embedded: embedded.filter((offerId) => offerIds.has(offerId)),
  };
}
