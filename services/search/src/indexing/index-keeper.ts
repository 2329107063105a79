import type { Logger } from "@storefront/telemetry";
import type { SearchEngine } from "../engine/search-engine.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import { ensureIndex } from "./ensure-index.ts";
import type { IndexState } from "./ensure-index.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { sweepGenerations } from "./retire-generations.ts";

const retryMs = 1_000;
/** Between looks at whether an engine outside of the database still has the index, and at a build under way. */
const lookMs = 5_000;

/** Between looks at whether an index that is left to others has to be made after all. */
const leftMs = 60_000;

/** What is told of an index that is left as it is. */
const leftAsItIs = {
  newer: "the index is that of a newer configuration",
  cancelled: "the index is that of an earlier configuration: its reindex was cancelled",
} as const;

/**
 * Makes the index if there is none, also when the engine has lost it, or another one is asked for, and
 * whenever a reindex is; then sweeps up what broken ones left. A build that the end interrupts is gone on
 * with by any process. Where another index was asked for later, by a newer process, it is left to that
 * one. The database is asked for nothing else than that while all is well.
 */
export function createIndexKeeper(deps: ReindexDependencies, logger: Logger): BackgroundLoop {
  const { engine, signature } = deps;
  const { polling } = deps.database;
  let state: IndexState = "underWay";
  let isSwept = false;
  let compareAtMs = 0;

  async function look(signal: AbortSignal, isWoken: boolean): Promise<void> {
    const isLost = (await engine.liveGeneration()) === undefined;
    const isQuiet = polling.idleSinceMs !== undefined || performance.now() < compareAtMs;
    if (!isLost && state === "made" && isSwept && isQuiet && !isWoken) return;
    const before = state;
    state = "underWay";
    state = await ensureIndex(deps, logger, signal);
    if ((state === "newer" || state === "cancelled") && state !== before) {
      logger.warn({ signature }, leftAsItIs[state]);
    }
    isSwept = await sweepGenerations(deps);
    compareAtMs = performance.now() + idleMs;
  }

  return new BackgroundLoop(polling, async (signal, isWoken) => {
    try {
      await look(signal, isWoken);
    } catch (err) {
      isSwept = false;
      if (!signal.aborted) logger.warn({ err }, "the index cannot be looked after now");
      return { ms: retryMs, isIdle: false };
    }
    if (state === "newer" || state === "cancelled") return { ms: leftMs, isIdle: true };
    const isQuiet = state === "made" && isSwept && engine.isInDatabase;
    // What another process does is looked at also where the database would be left alone.
    return { ms: isQuiet ? idleMs : lookMs, isIdle: true, isDue: !isQuiet };
  });
}

/**
 * Resolves when a generation answers. When none does, whoever keeps the index is told to look.
 *
 * @throws Error before the first one, and when the engine has lost it.
 */
export async function requireIndex(engine: SearchEngine, keeper: BackgroundLoop): Promise<void> {
  if ((await engine.liveGeneration()) !== undefined) return;
  keeper.wake();
  throw new Error("there is no index yet");
}
