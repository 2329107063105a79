import type { Logger } from "@storefront/process";
import { modelOf } from "../domain/index-signature.ts";
import { msUntilDue } from "../store/embedding-claims.ts";
import { takeOverQueue } from "../store/embedding-queue.ts";
import { listGenerations, vectorKinds } from "../store/generation-store.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { Pause } from "./background-loop.ts";
import { QueueEmbedder } from "./queue-embedder.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";

/** Interval of checks for rows that another process has locked. */
const minPauseMs = 50;
const firstRetryMs = 250;
const maxRetryMs = 5_000;

/**
 * Embeds what is queued for this embedder's generations. Failed offers stay queued.
 *
 * @param onEmbedded called after vectors were written
 */
export function createEmbeddingLoop(
  deps: EmbeddingDependencies,
  logger: Logger,
  onEmbedded: () => void,
): BackgroundLoop {
  const { database, engine, signature } = deps;
  const embedder = new QueueEmbedder(deps);
  let failures = 0;

  async function embed(signal: AbortSignal): Promise<Pause> {
    const generations = await listGenerations(database);
    await takeOverQueue(database, vectorKinds(generations));
    const kinds = vectorKinds(generations).filter((kind) => kind.signature === signature);
    let hasEmbedded = false;
    for (const kind of kinds)
      hasEmbedded = (await embedder.embedBatch(kind, signal)) || hasEmbedded;
    if (hasEmbedded) {
      onEmbedded();
      return { ms: 0, isIdle: false };
    }
    // Until another process's claim expires, or a failed offer may be retried.
    const dueMs = await msUntilDue(database, kinds, { isOutside: !engine.isInDatabase });
    const ms = Math.min(Math.max(dueMs ?? idleMs, minPauseMs), idleMs);
    return { ms, isIdle: true, isDue: dueMs !== undefined };
  }

  return new BackgroundLoop(database.polling, async (signal) => {
    try {
      const pause = await embed(signal);
      failures = 0;
      return pause;
    } catch (err) {
      if (signal.aborted) return { ms: 0, isIdle: false };
      const ms = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
      // Logged once per outage.
      if (failures === 0) logger.warn({ err }, "offers cannot be embedded now");
      failures += 1;
      return { ms, isIdle: false };
    }
  });
}

const retryMs = 5_000;

/** Updates the vector index of live generations, also those of an earlier format, and creates missing ones. */
export function createVectorIndexLoop(
  { database, engine, signature }: EmbeddingDependencies,
  logger: Logger,
): BackgroundLoop {
  return new BackgroundLoop(database.polling, async (signal) => {
    try {
      const generations = await listGenerations(database);
      const model = modelOf(signature);
      const live = generations.find((each) => each.isLive && modelOf(each.signature) === model);
      if (live !== undefined && (await engine.storesVectors()))
        await engine.indexVectors(live.number, live.space.set, signal);
      return { ms: idleMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "vectors cannot be indexed now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
