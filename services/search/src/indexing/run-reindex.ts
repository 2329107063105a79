import { Code } from "@connectrpc/connect";
import { whileRenewing } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import {
  endReindex,
  holdReindex,
  readReindex,
  releaseReindex,
  restartReindex,
  takeReindex,
} from "../store/reindex-job-store.ts";
import type { HeldJob, ReindexJob } from "../store/reindex-job-store.ts";
import { reindexSteps } from "./reindex-steps.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { dropRetired, sweepGenerations } from "./retire-generations.ts";
import { takenOver } from "./fill-vectors.ts";

/** Heartbeat interval in milliseconds; well below the lease of 30 s. */
const heartbeatMs = 5_000;

/** A reindex without progress fails after this many attempts. */
const maxAttempts = 5;

/**
 * Claims a reindex, resumes it, and works until it has ended.
 *
 * @returns false when another process works on it
 * @throws its error, after the claim was released for a retry or the reindex failed permanently
 */
export async function runReindex(
  deps: ReindexDependencies,
  number: number,
  signal: AbortSignal,
): Promise<boolean> {
  const { database, holder } = deps;
  const held = { number, holder };
  if (!(await takeReindex(database, held))) return false;
  const losing = new AbortController();
  const renew = async () => {
    // The work itself fails when the database is unavailable.
    const isHeld = await holdReindex(database, held).catch(() => true);
    if (!isHeld) losing.abort(takenOver());
  };
  try {
    await whileRenewing(renew, heartbeatMs, () =>
      runSteps(deps, held, AbortSignal.any([signal, losing.signal])),
    );
    return true;
  } catch (error) {
    // A failure that cannot be stored now counts when the lease expires.
    await storeFailure(deps, held, error, signal.aborted).catch(() => undefined);
    throw error;
  }
}

async function runSteps(
  deps: ReindexDependencies,
  held: HeldJob,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const job = await readReindex(deps.database, held.number);
    if (job === undefined || job.endedAt !== undefined) return;
    if (await isGone(deps, job)) {
      if (!(await restartReindex(deps.database, held))) throw takenOver();
      continue;
    }
    const { phase } = job;
    if (phase === "done" || phase === "cancelled" || phase === "failed") return;
    await reindexSteps[phase](deps, job, signal);
  }
}

/** Whether the generation is lost, as when release 0.2.0, which knows no jobs, took it for abandoned. */
async function isGone({ database }: ReindexDependencies, job: ReindexJob): Promise<boolean> {
  if (job.generation === undefined) return false;
  return (await listGenerations(database)).every(({ number }) => number !== job.generation);
}

async function storeFailure(
  deps: ReindexDependencies,
  held: HeldJob,
  error: unknown,
  isEnding: boolean,
): Promise<void> {
  const { database } = deps;
  const job = await readReindex(database, held.number);
  // Cancelled or taken over: cleans up.
  if (job?.endedAt !== undefined) return void (await sweepGenerations(deps));
  const isOutage = error instanceof ServiceError && error.code === Code.Unavailable;
  const isCounted = !isEnding && !isOutage;
  const text = isEnding ? undefined : String(error);
  const release = async () => await releaseReindex(database, held, { error: text, isCounted });
  if (job === undefined || !isCounted || job.attempts < maxAttempts) return await release();
  try {
    await inWritersTurn(database, (tx) => endReindex(tx, held, "failed", text));
  } catch {
    // Other writers take too long: the next attempt ends it if that fails too.
    return await release();
  }
  await dropRetired(deps);
}
