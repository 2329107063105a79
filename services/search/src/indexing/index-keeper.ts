import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop } from "./background-loop.ts";
import { ensureIndex } from "./ensure-index.ts";
import type { ReindexDependencies } from "./reindex.ts";
import { sweepGenerations } from "./retire-generations.ts";

const retryMs = 1_000;
/** Between looks at whether the index is still there. */
const lookMs = 5_000;

/**
 * Makes the index if there is none, also when the engine has lost it, or another one is asked for;
 * then sweeps up what broken reindexes left. A build that the end interrupts is begun anew another time.
 */
export function createIndexKeeper(deps: ReindexDependencies, logger: Logger): BackgroundLoop {
  let isMade = false;
  return new BackgroundLoop(async (signal) => {
    try {
      isMade &&= (await deps.engine.liveGeneration()) !== undefined;
      if (isMade) await sweepGenerations(deps);
      else await ensureIndex(deps, logger, signal);
      isMade = true;
    } catch (err) {
      if (!signal.aborted) logger.warn({ err }, "the index cannot be looked after now");
    }
    return isMade ? lookMs : retryMs;
  });
}
