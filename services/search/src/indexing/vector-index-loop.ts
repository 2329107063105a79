import type { Logger } from "@storefront/telemetry";
import { listGenerations } from "../store/generation-store.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { EmbeddingDependencies } from "./queue-embedder.ts";

const retryMs = 5_000;

/** Lets what finds the nearest vectors follow those that answer, and has it made where there is none yet. */
export function createVectorIndexLoop(
  { database, engine, signature }: EmbeddingDependencies,
  logger: Logger,
): BackgroundLoop {
  return new BackgroundLoop(database.polling, async (signal) => {
    try {
      const generations = await listGenerations(database);
      const live = generations.find((each) => each.isLive && each.signature === signature);
      if (live !== undefined) await engine.indexVectors(live.number, live.space.set, signal);
      return { ms: idleMs, isIdle: true };
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "vectors cannot be indexed now");
      return { ms: retryMs, isIdle: false };
    }
  });
}
