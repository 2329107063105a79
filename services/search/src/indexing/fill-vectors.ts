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

/** A set of vectors that is not live yet. */
export interface NewTarget extends VectorTarget {
  /** Text version from which it receives the feeds' writes. */
  readonly since: bigint;
}

/** Offers per transaction: short enough for feeds and, on PGlite, readers. */
const chunkSize = 500;

/** Interval of heartbeats of a training in milliseconds; it is abandoned after a minute without one. */
const touchMs = 15_000;

/** Interval of checks for offers that others have claimed. */
const checkMs = 200;

/**
 * Fills a set of vectors: queues missing offers, embeds until none waits, and indexes the vectors. When the embedder
 * fails, the rest stays queued: an index without some vectors is better than none.
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
    // The next heartbeat retries.
    touchTraining(database, target).catch(() => undefined);
  }, touchMs);
  try {
    await engine.indexVectors(target.generation, target.space.set, signal);
  } finally {
    clearInterval(touching);
  }
}

/**
 * Embeds what is queued for a set of vectors. When the embedder fails, the rest stays queued.
 *
 * @param onEmbedded called after each batch
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
    await sleep(checkMs, undefined, { signal });
  }
}

/** Progress of queueing. */
interface QueueingProgress {
  /** Id of the last offer that is already queued. */
  readonly after: string;
  /** Called with each chunk, in its transaction. */
  readonly onQueued: (tx: Transaction, after: string) => Promise<void>;
}

/**
 * Queues the offers that a set of vectors lacks; later changes are already queued or embedded.
 *
 * @throws ServiceError ABORTED when another process has taken over.
 */
export async function queueVectors(
  deps: EmbeddingDependencies,
  target: NewTarget,
  signal: AbortSignal | undefined,
  progress: QueueingProgress = { after: "", onQueued: async () => {} },
): Promise<void> {
  const { database } = deps;
  const kind = kindOf(deps, target);
  for (let { after } = progress; ;) {
    signal?.throwIfAborted();
    const last = await inWritersTurn(database, async (tx) => {
      if (!(await touchTraining(tx, target))) throw takenOver();
      const ids = await listUnchangedSince(tx, target.since, { after, limit: chunkSize });
      await queueMissing(tx, kind, ids);
      const end = ids.at(-1);
      if (end !== undefined) await progress.onQueued(tx, end);
      return end;
    });
    if (last === undefined) return;
    after = last;
  }
}

function kindOf({ signature }: EmbeddingDependencies, { space }: VectorTarget): VectorKind {
  return { signature, training: space.training };
}

/** Why a set of vectors, or a generation, is abandoned. */
export function takenOver(): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REINDEX_UNDER_WAY,
    message: "another reindex is running",
  });
}
