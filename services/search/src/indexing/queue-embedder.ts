import { lockWriters } from "@storefront/database";
import type { Database } from "@storefront/database";
import { randomUUID } from "node:crypto";
import type { VectorKind } from "../engine/vector-space.ts";
import { claimQueued, finishClaimed, giveBack, unchangedOf } from "../store/embedding-claims.ts";
import { queueMissing } from "../store/embedding-queue.ts";
import type { QueuedOffer } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import { makeVectors, writeOf } from "./make-vectors.ts";
import type { VectorDependencies } from "./make-vectors.ts";
import { readOfferTexts } from "./offer-texts.ts";
import { vectorTargets } from "./vector-targets.ts";

/** What offers are embedded with. */
export interface EmbeddingDependencies extends VectorDependencies {
  readonly database: Database;
  /** Of the generations whose vectors are this embedder's. */
  readonly signature: string;
  /** Told when there may be something for those to do who embed and learn in the background. */
  readonly wake: () => void;
}

/** Offers in one batch where the engine embeds by itself. */
const ownBatch = 100;

/**
 * Embeds what is queued, by batches that it claims: however many processes do so, each text is embedded
 * by one. After a failure batches are smaller, so that an offer that the embedder refuses is by itself
 * soon and does not keep others waiting.
 */
export class QueueEmbedder {
  readonly #deps: EmbeddingDependencies;
  readonly #holder = randomUUID();
  readonly #maxBatch: number;
  #batch: number;

  constructor(deps: EmbeddingDependencies) {
    this.#deps = deps;
    this.#maxBatch = deps.embedder?.batchSize ?? ownBatch;
    this.#batch = this.#maxBatch;
  }

  /**
   * Embeds a batch of a kind and writes the vectors to every generation that has such. What fails is
   * given back.
   *
   * @returns whether there was anything to claim.
   */
  async embedBatch(kind: VectorKind, signal: AbortSignal | undefined): Promise<boolean> {
    const { database } = this.#deps;
    const holder = this.#holder;
    const claimed = await claimQueued(database, kind, { holder, limit: this.#batch });
    if (claimed.length === 0) return false;
    try {
      await this.#embed(kind, claimed, signal);
    } catch (error) {
      this.#batch = Math.max(Math.floor(claimed.length / 4), 1);
      const hasFailed = signal?.aborted !== true;
      // What cannot be given back now runs out.
      await giveBack(database, kind, { holder, claimed, hasFailed }).catch(() => undefined);
      throw error;
    }
    this.#batch = Math.min(this.#batch * 2, this.#maxBatch);
    return true;
  }

  async #embed(
    kind: VectorKind,
    claimed: readonly QueuedOffer[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { database, engine, embedder } = this.#deps;
    const holder = this.#holder;
    const ids = claimed.map(({ offerId }) => offerId);
    const texts = await readOfferTexts(database, ids);
    const known = vectorTargets(await listGenerations(database), kind);
    // A text that changed before it was read is another claim's: nobody pays for it twice.
    const current = await unchangedOf(database, kind, claimed);
    const currentIds = new Set(current.map(({ offerId }) => offerId));
    const ours = texts.filter(({ offerId }) => currentIds.has(offerId));
    const made = await makeVectors(this.#deps, known, ours, signal);
    await database.transaction(async (tx) => {
      await lockWriters(tx, "search");
      const targets = vectorTargets(await listGenerations(tx), kind);
      const isKnown = targets.every(({ generation }) =>
        known.some((each) => each.generation === generation),
      );
      if (!isKnown && embedder === undefined) {
        // The engine makes vectors for each generation by itself: for the new one another time.
        return await giveBack(tx, kind, { holder, claimed, hasFailed: false });
      }
      const finished = await finishClaimed(tx, kind, current);
      for (const target of targets) {
        await engine.write(tx, target.generation, writeOf(made, finished, target));
      }
      // An engine's own vectors are in its index by now: another process may have let newer ones count.
      if (embedder === undefined) {
        const late = [...currentIds].filter((id) => !finished.has(id));
        await queueMissing(tx, kind, late);
      }
    });
  }
}
