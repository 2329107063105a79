import type { Logger } from "@storefront/telemetry";
import { msUntilDue } from "../store/embedding-claims.ts";
import { takeOverQueue } from "../store/embedding-queue.ts";
import { listGenerations } from "../store/generation-store.ts";
import { BackgroundLoop } from "./background-loop.ts";
import { QueueEmbedder } from "./queue-embedder.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";
import { vectorKinds } from "./vector-targets.ts";

/** Between looks at an empty queue: a write is to be found by meaning within 2 s. */
const idleMs = 300;
const firstRetryMs = 250;
const maxRetryMs = 5_000;

/** Embeds what is queued for this embedder's generations. What fails stays queued. */
export function createEmbeddingLoop(deps: EmbeddingDependencies, logger: Logger): BackgroundLoop {
  const { database, signature } = deps;
  const embedder = new QueueEmbedder(deps);
  let failures = 0;

  /** Gives how long to pause. */
  async function embed(signal: AbortSignal): Promise<number> {
    const generations = await listGenerations(database);
    await takeOverQueue(database, vectorKinds(generations));
    const kinds = vectorKinds(generations).filter((kind) => kind.signature === signature);
    let hasEmbedded = false;
    for (const kind of kinds)
      hasEmbedded = (await embedder.embedBatch(kind, signal)) || hasEmbedded;
    if (hasEmbedded) return 0;
    const dueMs = (await msUntilDue(database, kinds)) ?? idleMs;
    return Math.max(Math.min(dueMs, idleMs), 1);
  }

  return new BackgroundLoop(async (signal) => {
    try {
      const pauseMs = await embed(signal);
      failures = 0;
      return pauseMs;
    } catch (err) {
      if (signal.aborted) return 0;
      const pauseMs = Math.min(firstRetryMs * 2 ** failures, maxRetryMs);
      // Once, not every time until it goes again.
      if (failures === 0) logger.warn({ err }, "offers cannot be embedded now");
      failures += 1;
      return pauseMs;
    }
  });
}
