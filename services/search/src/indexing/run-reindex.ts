import { Code } from "@connectrpc/connect";
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

/** Between signs that a process works on a reindex, in milliseconds; well below the lease's 30 s. */
const signMs = 5_000;

/** A reindex that comes no further is given up when it was taken up for so many times. */
const maxAttempts = 5;

/**
 * Takes a reindex up where it is, and works on it until it has ended.
 *
 * @returns false when another process works on it.
 * @throws whatever it fails with; then it is let go of, to be taken up again, or has failed for good.
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
  const hold = async () => {
    if (!(await holdReindex(database, held))) losing.abort(takenOver());
  };
  let sign: Promise<void> | undefined;
  // Also while a statement takes long; one after the other.
  const signs = setInterval(() => {
    // A database that is away is noticed by the work.
    sign ??= hold()
      .catch(() => undefined)
      .finally(() => {
        sign = undefined;
      });
  }, signMs);
  signs.unref();
  try {
    await runSteps(deps, held, AbortSignal.any([signal, losing.signal]));
    return true;
  } catch (error) {
    // What cannot be noted now is noted by who takes it up when the lease is over.
    await noteFailure(deps, held, error, signal.aborted).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(signs);
    await sign;
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

/** Whether what was built is lost, as for release 0.2.0, which knows no jobs and takes it for abandoned. */
async function isGone({ database }: ReindexDependencies, job: ReindexJob): Promise<boolean> {
  if (job.generation === undefined) return false;
  return (await listGenerations(database)).every(({ number }) => number !== job.generation);
}

async function noteFailure(
  deps: ReindexDependencies,
  held: HeldJob,
  error: unknown,
  isEnding: boolean,
): Promise<void> {
  const { database } = deps;
  const job = await readReindex(database, held.number);
  // Cancelled or taken over meanwhile: what is left of it is to go.
  if (job?.endedAt !== undefined) return void (await sweepGenerations(deps));
  const isOutage = error instanceof ServiceError && error.code === Code.Unavailable;
  const isCounted = !isEnding && !isOutage;
  const text = isEnding ? undefined : String(error);
  const release = async () => await releaseReindex(database, held, { error: text, isCounted });
  if (job === undefined || !isCounted || job.attempts < maxAttempts) return await release();
  try {
    await inWritersTurn(database, (tx) => endReindex(tx, held, "failed", text));
  } catch {
    // Others write for too long: who takes it up next ends it, if it fails again.
    return await release();
  }
  await dropRetired(deps);
}
