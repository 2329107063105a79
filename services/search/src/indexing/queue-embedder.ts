import type { Database } from "@storefront/database";
import { randomUUID } from "node:crypto";
import { embeddingFailed } from "../embedder/embedder.ts";
import type { Embedder, OfferText } from "../embedder/embedder.ts";
import type { IndexWrites, VectorKind } from "../engine/index-documents.ts";
import { GenerationMissingError } from "../engine/search-engine.ts";
import type { RefusedDocument, SearchEngine } from "../engine/search-engine.ts";
import { claimQueued, finishClaimed, giveBack, unchangedOf } from "../store/embedding-claims.ts";
import { queueChanged } from "../store/embedding-queue.ts";
import type { QueuedOffer } from "../store/embedding-queue.ts";
import { listGenerations, vectorTargets } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addToOutbox } from "../store/outbox-store.ts";
import type { TrainingStore } from "../store/training-store.ts";
import { readOfferTexts } from "./offer-texts.ts";
import { outboxKeys } from "./outbox-documents.ts";
import type { VectorTarget } from "../store/generation-store.ts";

/** Embedding by an embedder, or without one by the engine itself. */
export interface EmbeddingDependencies {
  readonly database: Database;
  readonly engine: SearchEngine;
  /** Undefined when nothing is embedded, or the engine embeds. */
  readonly embedder: Embedder | undefined;
  readonly trainings: TrainingStore;
  /** Of this process's generations: engine, format and embedding model. */
  readonly signature: string;
  /** Called when there may be background work: embedding, training or sending. */
  readonly wake: () => void;
}

/** Batch size where the engine embeds. */
const ownBatch = 100;

/**
 * Embeds queued offers in claimed batches: each text is embedded by one process. Batches shrink after failures, so that
 * a refused offer is soon alone and does not delay others.
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
   * Embeds a batch of a kind and writes its vectors to every matching generation. A failed batch is released.
   *
   * @returns whether there was anything to claim
   */
  async embedBatch(kind: VectorKind, signal: AbortSignal | undefined): Promise<boolean> {
    const { database, engine } = this.#deps;
    const holder = this.#holder;
    const claimed = await claimQueued(database, kind, {
      holder,
      limit: this.#batch,
      isOutside: !engine.isInDatabase,
    });
    if (claimed.length === 0) return false;
    try {
      await this.#embed(kind, claimed, signal);
    } catch (error) {
      this.#batch = Math.max(Math.floor(claimed.length / 4), 1);
      const hasFailed = signal?.aborted !== true;
      // A claim that cannot be released now expires.
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
    // A text that changed before it was read belongs to another claim and is not embedded twice.
    const current = await unchangedOf(database, kind, claimed);
    const currentIds = new Set(current.map(({ offerId }) => offerId));
    const currentTexts = texts.filter(({ offerId }) => currentIds.has(offerId));
    const made = await makeVectors(this.#deps, known, currentTexts, signal);
    const written = engine.isInDatabase ? [] : await unchangedOf(database, kind, current);
    const writtenIds = new Set(written.map(({ offerId }) => offerId));
    if (writtenIds.size > 0) {
      for (const target of known) {
        const write = writeOf(made, writtenIds, target);
        const [refused] = await engine
          .write(undefined, target.generation, write)
          .catch(unlessMissing);
        if (refused !== undefined) throw embeddingFailed(new Error(refused.reason));
      }
    }
    const hasLate = await inWritersTurn(database, async (tx) => {
      const targets = vectorTargets(await listGenerations(tx), kind);
      const isKnown = targets.every(({ generation }) =>
        known.some((each) => each.generation === generation),
      );
      if (!isKnown && !engine.isInDatabase) {
        // The new generation gets its vectors later.
        await giveBack(tx, kind, { holder, claimed, hasFailed: false });
        return false;
      }
      const finished = await finishClaimed(tx, kind, current);
      if (engine.isInDatabase) {
        for (const target of targets) {
          await engine.write(tx, target.generation, writeOf(made, finished, target));
        }
        return false;
      }
      // The text changed meanwhile: the written vector is stale, or has replaced a newer one.
      const late = [...(embedder === undefined ? currentIds : writtenIds)].filter(
        (id) => !finished.has(id),
      );
      await addToOutbox(tx, outboxKeys({}, late));
      // Also ends other claims: the removal may delete a newer vector.
      await queueChanged(tx, [kind], { changed: late, removed: [] });
      return late.length > 0;
    });
    if (hasLate) this.#deps.wake();
  }
}

/** The part of a write with new vectors. */
type MadeVectors = Pick<IndexWrites, "vectors" | "embedded">;

/**
 * Makes vectors for targets of one kind, outside transactions: once for all, except when the engine embeds. Errors are
 * those of the embedder.
 */
async function makeVectors(
  { engine, embedder, trainings }: EmbeddingDependencies,
  targets: readonly VectorTarget[],
  texts: readonly OfferText[],
  signal: AbortSignal | undefined,
): Promise<MadeVectors> {
  const [target] = targets;
  if (target === undefined || texts.length === 0) return {};
  if (embedder === undefined) {
    for (const { generation } of targets) {
      await engine.ownEmbedding?.embedOffers(generation, texts).catch(unlessMissing);
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

/** A generation that the engine lost is skipped: its replacement gets its own vectors. */
function unlessMissing(error: unknown): readonly RefusedDocument[] {
  if (error instanceof GenerationMissingError) return [];
  throw error;
}

/** The vectors of these offers, as a write to a target. */
function writeOf(
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
