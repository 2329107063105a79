import type { Logger } from "@storefront/process";
import type { SearchEngine } from "../engine/search-engine.ts";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { lastReindex, readReindex } from "../store/reindex-job-store.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";
import { askForReindex, endOutdated } from "./reindex-control.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { retireOthers, sweepGenerations } from "./retire-generations.ts";
import { runReindex } from "./run-reindex.ts";

/**
 * How the index is: made as this process would make it; being made by another process; that of a
 * configuration that was asked for later; or that of an earlier one, because the reindex was cancelled.
 */
type IndexState = "made" | "underWay" | "newer" | "cancelled";

/**
 * Sees to it that there is a generation that serves, made as this process would make it: goes on with a
 * reindex that was asked for, or left by a process that has ended, and asks for one where the engine, the
 * format or the embedding model is another. An old one serves until then.
 */
export async function ensureIndex(
  deps: ReindexDependencies,
  logger: Logger,
  signal: AbortSignal,
): Promise<IndexState> {
  const { database, engine, signature } = deps;
  const mayBuild = await deps.configuration.refresh();
  const last = await lastReindex(database);
  if (mayBuild && last !== undefined && last.endedAt === undefined) {
    if (last.signature === signature) return await work(deps, last.number, logger, signal);
    if (!(await endLeft(deps, last))) return "underWay";
  }
  const known = await listGenerations(database);
  const live = await engine.liveGeneration();
  const current = known.find(({ number }) => number === live);
  if (current?.signature === signature) {
    // The engine had changed over, but that was not noted any more.
    if (!current.isLive) await retireOthers(deps, current.number);
    return "made";
  }
  if (!mayBuild) return "newer";
  const isCancelled = last?.phase === "cancelled" && last.signature === signature;
  if (isCancelled && current !== undefined) return "cancelled";
  const number = await askForReindex(deps, `the configuration of ${deps.holder}`);
  return await work(deps, number, logger, signal);
}

async function work(
  deps: ReindexDependencies,
  number: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<IndexState> {
  if (!(await runReindex(deps, number, signal))) return "underWay";
  const job = await readReindex(deps.database, number);
  if (job?.phase !== "done") return "underWay";
  logger.info({ indexedCount: job.written }, "a new index answers");
  return "made";
}

/** Ends what a process with an earlier configuration has left; false while that still works on it. */
async function endLeft({ database }: ReindexDependencies, left: ReindexJob): Promise<boolean> {
  return await inWritersTurn(database, async (tx) => {
    const now = await readReindex(tx, left.number);
    if (now?.holder !== undefined) return false;
    if (now?.endedAt === undefined) await endOutdated(tx, left);
    return true;
  });
}

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
 * Resolves when a generation serves. When none does, the keeper of the index is woken.
 *
 * @throws Error before the first one, and when the engine has lost it.
 */
export async function requireIndex(engine: SearchEngine, keeper: BackgroundLoop): Promise<void> {
  if ((await engine.liveGeneration()) !== undefined) return;
  keeper.wake();
  throw new Error("there is no index yet");
}
