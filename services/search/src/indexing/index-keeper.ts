import type { Logger } from "@storefront/telemetry";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import { ensureIndex } from "./ensure-index.ts";
import type { ReindexDependencies } from "./reindex.ts";
import { sweepGenerations } from "./retire-generations.ts";

const retryMs = 1_000;
/** Between looks at whether an engine outside of the database still has the index, and at a build under way. */
const lookMs = 5_000;

/** Between looks at whether an index that is left to others has to be made after all. */
const leftMs = 60_000;

/**
 * Makes the index if there is none, also when the engine has lost it, or another one is asked for;
 * then sweeps up what broken reindexes left. A build that the end interrupts is begun anew another time.
 * Where another one was asked for later, by a newer process, it is left to that one. The database is
 * asked for nothing else than that while all is well.
 */
export function createIndexKeeper(deps: ReindexDependencies, logger: Logger): BackgroundLoop {
  const { engine, signature } = deps;
  const { polling } = deps.database;
  let isMade = false;
  let isLeftToOthers = false;
  let isSwept = false;
  let compareAtMs = 0;

  async function look(signal: AbortSignal): Promise<void> {
    isMade &&= (await engine.liveGeneration()) !== undefined;
    const isDatabaseIdle = polling.idleSinceMs !== undefined;
    if (isMade && isSwept && (isDatabaseIdle || performance.now() < compareAtMs)) return;
    const wasLeftToOthers = isLeftToOthers;
    isMade = await ensureIndex(deps, logger, signal);
    isLeftToOthers = !isMade;
    if (isLeftToOthers && !wasLeftToOthers) {
      logger.warn({ signature }, "the index is that of a newer configuration");
    }
    isSwept = await sweepGenerations(deps);
    compareAtMs = performance.now() + idleMs;
  }

  return new BackgroundLoop(polling, async (signal) => {
    try {
      await look(signal);
    } catch (err) {
      isSwept = false;
      if (!signal.aborted) logger.warn({ err }, "the index cannot be looked after now");
      return { ms: retryMs, isIdle: false };
    }
    if (isLeftToOthers) return { ms: leftMs, isIdle: true };
    const isQuiet = isSwept && engine.isInDatabase;
    return { ms: isQuiet ? idleMs : lookMs, isIdle: isQuiet };
  });
}
