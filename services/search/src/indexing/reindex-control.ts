import { Code } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import type { Transaction } from "@storefront/database";
import { ServiceError } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addReindex, endReindex, lastReindex, readReindex } from "../store/reindex-job-store.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { sweepGenerations } from "./retire-generations.ts";
import { takenOver } from "./fill-vectors.ts";

/** Between looks at how far a reindex is, in milliseconds. */
const lookMs = 250;

/** How reindexes are asked for and looked at; the work is done by the keeper of the index in any process. */
export class ReindexControl {
  readonly #deps: ReindexDependencies;
  readonly #wakeKeeper: () => void;

  /** @param wakeKeeper told when there is something to do */
  constructor(deps: ReindexDependencies, wakeKeeper: () => void) {
    this.#deps = deps;
    this.#wakeKeeper = wakeKeeper;
  }

  /**
   * Lets the index of this process's configuration be built, and tells how far that is until it is done.
   * It goes on when the caller stops listening.
   *
   * @param startedBy who asks, for people.
   * @throws ServiceError ABORTED, REINDEX_UNDER_WAY, when another one is; REINDEX_BROKEN_OFF when it was
   *   cancelled or has failed for good.
   */
  async *run(startedBy: string, signal?: AbortSignal): AsyncGenerator<ReindexJob> {
    await this.#deps.configuration.claim();
    const number = await askForReindex(this.#deps, startedBy);
    this.#wakeKeeper();
    for (;;) {
      const job = await readReindex(this.#deps.database, number);
      if (job === undefined) throw new Error("a reindex is never forgotten while it is under way");
      yield job;
      if (job.phase === "done") return;
      if (job.endedAt !== undefined) throw brokenOff(job);
      await sleep(lookMs, undefined, { signal });
    }
  }

  /** The reindex under way, else the last one; undefined before the first. */
  async describe(): Promise<ReindexJob | undefined> {
    return await lastReindex(this.#deps.database);
  }

  /**
   * Ends the reindex under way, but for one that changes over already.
   *
   * @returns it as it is now; undefined when there is none.
   */
  async cancel(): Promise<ReindexJob | undefined> {
    const { database } = this.#deps;
    const job = await inWritersTurn(database, async (tx) => {
      const last = await lastReindex(tx);
      if (last === undefined || last.endedAt !== undefined) return undefined;
      if (last.phase === "activating") return last;
      await endReindex(tx, { number: last.number }, "cancelled");
      return await readReindex(tx, last.number);
    });
    this.#wakeKeeper();
    return job;
  }
}

function brokenOff({ phase, error }: ReindexJob): ServiceError {
  return new ServiceError({
    code: Code.Aborted,
    reason: ErrorReason.REINDEX_BROKEN_OFF,
    message: phase === "cancelled" ? "the reindex was cancelled" : `the reindex failed: ${error}`,
  });
}

/**
 * Asks for a reindex, which this process is the first to take up. One that was left by a process that
 * ended is gone on with, if it is for the same index.
 *
 * @param startedBy who asks, for people.
 * @returns its number.
 * @throws ServiceError ABORTED when another one is under way.
 */
export async function askForReindex(deps: ReindexDependencies, startedBy: string): Promise<number> {
  const { database, signature, holder } = deps;
  await sweepGenerations(deps);
  return await inWritersTurn(database, async (tx) => {
    const left = await lastReindex(tx);
    if (left !== undefined && left.endedAt === undefined) {
      if (left.holder !== undefined) throw takenOver();
      if (left.signature === signature) return left.number;
      await endOutdated(tx, left);
    }
    // For release 0.2.0, which builds without a job.
    const isBuilding = (await listGenerations(tx)).some((each) => !each.isLive && each.isTouched);
    if (isBuilding) throw takenOver();
    return await addReindex(tx, { signature, startedBy, holder });
  });
}

/** Ends a reindex of an index that no process asks for any more. */
export async function endOutdated(tx: Transaction, { number }: ReindexJob): Promise<void> {
  await endReindex(tx, { number }, "failed", "another index was asked for meanwhile");
}
