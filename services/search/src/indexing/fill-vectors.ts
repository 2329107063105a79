import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { VectorKind } from "../engine/index-documents.ts";
import { isWaiting, newestQueued } from "../store/embedding-claims.ts";
import { queueMissing } from "../store/embedding-queue.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { listUnchangedSince } from "../store/source-offer-store.ts";
import { touchTraining } from "../store/training-store.ts";
import { QueueEmbedder } from "./queue-embedder.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";
import type { VectorTarget } from "../store/generation-store.ts";

/** A set of vectors that does not serve yet. */
export interface NewTarget extends VectorTarget {
  /** Moment of the texts since which it takes the feeds' writes. */
  readonly since: bigint;
}

/** Offers in one transaction: short enough that neither feeds nor, on PGlite, readers wait for it. */
const chunkSize = 500;

/** Between signs that vectors are being made again, in milliseconds: after a minute without it is given up. */
const touchMs = 15_000;

/** Between looks at what others have claimed. */
const lookMs = 200;

/**
 * Gives a set of vectors those of all offers: queues what it lacks, embeds until nothing of that
 * waits, and indexes them. When the embedder fails, the rest stays queued: an index without some vectors is better than
 * none.
 *
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function fillVectors(
  deps: EmbeddingDependencies,
  target: NewTarget,
  signal: AbortSignal | undefined,
): Promise<void> {
  await queueVectors(deps, target, signal);
  await embedWaiting(deps, target, signal);
  const { database, engine } = deps;
  const touching = setInterval(() => {
    // What cannot be said now is said the next time.
    touchTraining(database, target).catch(() => undefined);
  }, touchMs);
  try {
    await engine.indexVectors(target.generation, target.space.set, signal);
  } finally {
    clearInterval(touching);
  }
}

/**
 * Embeds until nothing waits of what is queued for a set of vectors. When the embedder fails, the rest
 * stays queued.
 *
 * @param onEmbedded told of each batch
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function embedWaiting(
  deps: EmbeddingDependencies,
  target: VectorTarget,
  signal: AbortSignal | undefined,
  onEmbedded: () => Promise<void> = async () => {},
): Promise<void> {
  const { database } = deps;
  const kind = kindOf(deps, target);
  const embedder = new QueueEmbedder(deps);
  const newest = await newestQueued(database, kind);
  while (await isWaiting(database, kind, newest)) {
    if (!(await touchTraining(database, target))) throw takenOver();
    try {
      if (await embedder.embedBatch(kind, signal)) {
        await onEmbedded();
        continue;
      }
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== Code.Unavailable) throw error;
      return deps.wake();
    }
    await sleep(lookMs, undefined, { signal });
  }
}

/** Where queueing begins, and who is told how far it is. */
interface QueueingPlace {
  /** Id of the last offer that is queued already. */
  readonly after: string;
  /** Told of each chunk, in its transaction. */
  readonly onQueued: (tx: Transaction, after: string) => Promise<void>;
}

/**
 * Queues what a set of vectors lacks. What was told later is queued already, or embedded.
 *
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function queueVectors(
  deps: EmbeddingDependencies,
  target: NewTarget,
  signal: AbortSignal | undefined,
  place: QueueingPlace = { after: "", onQueued: async () => {} },
): Promise<void> {
  const { database } = deps;
  const kind = kindOf(deps, target);
  for (let { after } = place; ;) {
    signal?.throwIfAborted();
    const last = await inWritersTurn(database, async (tx) => {
      if (!(await touchTraining(tx, target))) throw takenOver();
      const ids = await listUnchangedSince(tx, target.since, { after, limit: chunkSize });
      await queueMissing(tx, kind, ids);
      const end = ids.at(-1);
      if (end !== undefined) await place.onQueued(tx, end);
      return end;
    });
    if (last === undefined) return;
    after = last;
  }
}

function kindOf({ signature }: EmbeddingDependencies, { space }: VectorTarget): VectorKind {
  return { signature, training: space.training };
}

/** Why vectors that were being made, or a whole generation, are given up. */
export function takenOver(): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REINDEX_UNDER_WAY,
    message: "another reindex is running",
  });
}
