import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import type { Embedder } from "../embedder/embedder.ts";
import type { OfferVector } from "../engine/index-documents.ts";
import type { SearchEngine } from "../engine/search-engine.ts";
import { readQueue, removeUnchanged } from "../store/embedding-queue.ts";
import type { QueuedOffer } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import type { TrainingStore } from "../store/training-store.ts";
import { embedOffers } from "./embed-offers.ts";
import { readOfferTexts } from "./offer-texts.ts";

/** What offers are embedded with. */
export interface EmbeddingDependencies {
  readonly database: Database;
  readonly engine: SearchEngine;
  readonly embedder: Embedder;
  readonly trainings: TrainingStore;
  /** Of the generations whose vectors are this embedder's. */
  readonly signature: string;
}

/**
 * Embeds queued offers and writes their vectors to every generation, unless the text has changed
 * meanwhile. The embedder is asked outside of any transaction.
 */
export async function embedQueued(
  deps: EmbeddingDependencies,
  queued: readonly QueuedOffer[],
  signal: AbortSignal,
): Promise<void> {
  const { database, engine, embedder, trainings, signature } = deps;
  const texts = await readOfferTexts(
    database,
    queued.map(({ offerId }) => offerId),
  );
  const vectorsByTraining = new Map<bigint, OfferVector[]>();
  const generations = await listGenerations(database);
  for (const { training } of generations.filter((each) => each.signature === signature)) {
    if (vectorsByTraining.has(training)) continue;
    const trained = await trainings.read(training);
    vectorsByTraining.set(training, await embedOffers(embedder, texts, { trained, signal }));
  }
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    const present = await listGenerations(tx);
    const written = present.filter((each) => each.signature === signature);
    // Trained anew, or begun, meanwhile: another time, with what it has learned.
    if (written.some(({ training }) => !vectorsByTraining.has(training))) return;
    const unchanged = await removeUnchanged(tx, queued);
    for (const { number, training } of written) {
      const vectors = vectorsByTraining
        .get(training)
        ?.filter(({ offerId }) => unchanged.has(offerId));
      await engine.write(tx, number, { vectors: vectors ?? [] });
    }
  });
}

/** Queued offers after a version; none as long as there is no generation to embed them for. */
export async function nextQueued(
  { database, signature }: EmbeddingDependencies,
  after: bigint,
  limit: number,
): Promise<QueuedOffer[]> {
  const generations = await listGenerations(database);
  if (!generations.some((each) => each.signature === signature)) return [];
  return await readQueue(database, after, limit);
}
