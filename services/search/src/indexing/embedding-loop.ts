import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop } from "./background-loop.ts";
import { embedQueued, nextQueued } from "./embed-queued.ts";
import type { EmbeddingDependencies } from "./embed-queued.ts";

const maxBatch = 100;
/** Between looks at an empty queue: a write is to be found by meaning within 2 s. */
const idleMs = 300;
const firstRetryMs = 250;
/** Also for the sake of what is written while one offer is refused again and again. */
const maxRetryMs = 1_500;

/**
 * Embeds what is queued. What fails stays queued; smaller and smaller batches, in turns, see to it
 * that an offer that the embedder refuses does not keep others waiting.
 */
export function createEmbeddingLoop(deps: EmbeddingDependencies, logger: Logger): BackgroundLoop {
  let after = 0n;
  let batch = maxBatch;
  let failures = 0;

  /** Whether there was anything to embed. */
  async function embedBatch(signal: AbortSignal): Promise<boolean> {
    const queued = await nextQueued(deps, after, batch);
    const last = queued.at(-1);
    if (last === undefined) {
      after = 0n;
      return false;
    }
    after = last.version;
    try {
      await embedQueued(deps, queued, signal);
      batch = Math.min(batch * 2, maxBatch);
    } catch (error) {
      batch = Math.max(Math.floor(queued.length / 4), 1);
      throw error;
    }
    return true;
  }

  return new BackgroundLoop(async (signal) => {
    try {
      if (!(await embedBatch(signal))) return idleMs;
      failures = 0;
      return 0;
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
