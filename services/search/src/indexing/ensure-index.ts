import type { Logger } from "@storefront/telemetry";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { lastReindex, readReindex } from "../store/reindex-job-store.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";
import { askForReindex, endOutdated } from "./ask-for-reindex.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { retireOthers } from "./retire-generations.ts";
import { runReindex } from "./run-reindex.ts";

/**
 * How the index is: made as this process would make it; being made by another process; that of a
 * configuration that was asked for later; or that of an earlier one, because the reindex was cancelled.
 */
export type IndexState = "made" | "underWay" | "newer" | "cancelled";

/**
 * Sees to it that there is a generation that answers, made as this process would make it: goes on with a
 * reindex that was asked for, or left by a process that has ended, and asks for one where the engine, the
 * format or the embedding model is another. An old one answers until then.
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
