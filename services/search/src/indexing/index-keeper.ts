import type { Logger } from "@storefront/process";
import type { SearchEngine } from "../engine/search-engine.ts";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { lastReindex, readReindex } from "../store/reindex-job-store.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";
import { requestReindex, endOutdated } from "./reindex-control.ts";
import { BackgroundLoop, idleMs } from "./background-loop.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { retireOthers, sweepGenerations } from "./retire-generations.ts";
import { runReindex } from "./run-reindex.ts";

/**
 * State of the index: made as configured; in progress in another process; of a newer configuration; or of an earlier
 * one, because the reindex was cancelled.
 */
type IndexState = "made" | "inProgress" | "newer" | "cancelled";

/**
 * Ensures a live generation with this process's configuration: resumes a requested or abandoned reindex, and requests
 * one when the engine, format or embedding model differs. The old one serves until then.
 */
export async function ensureIndex(
  deps: ReindexDependencies,
  logger: Logger,
  signal: AbortSignal,
): Promise<IndexState> {
  const { database, engine } = deps;
  const mayBuild = await deps.configuration.refresh();
  const signature = await deps.configuration.signature();
  const last = await lastReindex(database);
  if (mayBuild && last !== undefined && last.endedAt === undefined) {
    if (last.signature === signature) return await work(deps, last.number, logger, signal);
    if (!(await endLeft(deps, last))) return "inProgress";
  }
  const known = await listGenerations(database);
  const live = await engine.liveGeneration();
  const current = known.find(({ number }) => number === live);
  if (current?.signature === signature) {
    // The engine switched generations, but the process ended before it recorded that.
    if (!current.isLive) await retireOthers(deps, current.number);
    return "made";
  }
  if (!mayBuild) return "newer";
  const isCancelled = last?.phase === "cancelled" && last.signature === signature;
  if (isCancelled && current !== undefined) return "cancelled";
  const number = await requestReindex(deps, `the configuration of ${deps.holder}`);
  return await work(deps, number, logger, signal);
}

async function work(
  deps: ReindexDependencies,
  number: number,
  logger: Logger,
  signal: AbortSignal,
): Promise<IndexState> {
  if (!(await runReindex(deps, number, signal))) return "inProgress";
  const job = await readReindex(deps.database, number);
  if (job?.phase !== "done") return "inProgress";
  logger.info({ indexedCount: job.written }, "a new index is live");
  return "made";
}

/** Ends an abandoned reindex of an earlier configuration; false while its process still runs. */
async function endLeft({ database }: ReindexDependencies, left: ReindexJob): Promise<boolean> {
  return await inWritersTurn(database, async (tx) => {
    const now = await readReindex(tx, left.number);
    if (now?.holder !== undefined) return false;
    if (now?.endedAt === undefined) await endOutdated(tx, left);
    return true;
  });
}

const retryMs = 1_000;
/** Interval of checks that an external engine still has the index, and of a build in progress. */
const checkMs = 5_000;

/** Interval of checks whether an index left to other processes must be built after all. */
const leftMs = 60_000;

/** Logged when another configuration's index stays. */
const otherIndexMessages = {
  newer: "the index is that of a newer configuration",
  cancelled: "the index is that of an earlier configuration: its reindex was cancelled",
} as const;

/**
 * Builds the index when it is missing, lost by the engine, of another configuration, or when a reindex is requested;
 * then deletes leftovers of interrupted ones. Any process resumes an interrupted build. An index that a newer process
 * requested is left to it. Otherwise idle, so that the database may be idle.
 */
export function createIndexKeeper(deps: ReindexDependencies, logger: Logger): BackgroundLoop {
  const { engine, configuration } = deps;
  const { polling } = deps.database;
  let state: IndexState = "inProgress";
  let isSwept = false;
  let compareAtMs = 0;

  async function check(signal: AbortSignal, isWoken: boolean): Promise<void> {
    const isLost = (await engine.liveGeneration()) === undefined;
    const isQuiet = polling.idleSinceMs !== undefined || performance.now() < compareAtMs;
    if (!isLost && state === "made" && isSwept && isQuiet && !isWoken) return;
    const before = state;
    state = "inProgress";
    state = await ensureIndex(deps, logger, signal);
    if ((state === "newer" || state === "cancelled") && state !== before) {
      logger.warn({ signature: await configuration.signature() }, otherIndexMessages[state]);
    }
    isSwept = await sweepGenerations(deps);
    compareAtMs = performance.now() + idleMs;
  }

  return new BackgroundLoop(polling, async (signal, isWoken) => {
    try {
      await check(signal, isWoken);
    } catch (err) {
      isSwept = false;
      if (!signal.aborted) logger.warn({ err }, "the index cannot be looked after now");
      return { ms: retryMs, isIdle: false };
    }
    if (state === "newer" || state === "cancelled") return { ms: leftMs, isIdle: true };
    const isQuiet = state === "made" && isSwept && engine.isInDatabase;
    // A build of another process is checked even while the database is idle.
    return { ms: isQuiet ? idleMs : checkMs, isIdle: true, isDue: !isQuiet };
  });
}

/**
 * Resolves when a generation is live; else wakes the keeper.
 *
 * @throws Error before the first generation, and after the engine lost it
 */
export async function requireIndex(engine: SearchEngine, keeper: BackgroundLoop): Promise<void> {
  if ((await engine.liveGeneration()) !== undefined) return;
  keeper.wake();
  throw new Error("there is no index yet");
}
