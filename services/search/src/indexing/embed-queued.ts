import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import { queueMissing, readQueue, removeUnchanged } from "../store/embedding-queue.ts";
import type { QueuedOffer } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import { makeVectors, ofOffers, vectorTargets } from "./make-vectors.ts";
import type { MadeVectors, VectorDependencies, VectorTarget } from "./make-vectors.ts";
import { readOfferTexts } from "./offer-texts.ts";

/** What offers are embedded with. */
export interface EmbeddingDependencies extends VectorDependencies {
  readonly database: Database;
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
  const { database, engine, signature } = deps;
  const ids = queued.map(({ offerId }) => offerId);
  const texts = await readOfferTexts(database, ids);
  const made = new Map<string, MadeVectors>();
  for (const target of vectorTargets(await listGenerations(database), signature)) {
    made.set(keyOf(target), await makeVectors(deps, target, texts, signal));
  }
  await database.transaction(async (tx) => {
    await lockWriters(tx, "search");
    const targets = vectorTargets(await listGenerations(tx), signature);
    // Trained anew, or begun, meanwhile: another time, with what it has learned.
    if (targets.some((target) => !made.has(keyOf(target)))) return;
    const unchanged = await removeUnchanged(tx, queued);
    for (const target of targets) {
      await engine.write(tx, target.generation, ofOffers(made.get(keyOf(target)) ?? {}, unchanged));
    }
    // An engine's own vectors are in its index by now: another process may have let newer ones count.
    if (deps.embedder === undefined) {
      await queueMissing(
        tx,
        ids.filter((id) => !unchanged.has(id)),
      );
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

function keyOf({ generation, space }: VectorTarget): string {
  return `${generation} ${space.training}`;
}
