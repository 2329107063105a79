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

/** Interval of progress reads, in milliseconds. */
const checkMs = 250;

/** Requests and describes reindexes; the index keeper of any process runs them. */
export class ReindexControl {
  readonly #deps: ReindexDependencies;
  readonly #wakeKeeper: () => void;

  /** @param wakeKeeper called when there is work */
  constructor(deps: ReindexDependencies, wakeKeeper: () => void) {
    this.#deps = deps;
    this.#wakeKeeper = wakeKeeper;
  }

  /**
   * Requests an index of this process's configuration, and yields the progress until it is done. The reindex continues
   * when the caller stops reading.
   *
   * @param startedBy the requester, for people
   * @throws ServiceError ABORTED, REINDEX_UNDER_WAY, when another one is in progress; REINDEX_BROKEN_OFF when it was
   * cancelled or has failed permanently.
   */
  async *run(startedBy: string, signal?: AbortSignal): AsyncGenerator<ReindexJob> {
    await this.#deps.configuration.claim();
    const number = await requestReindex(this.#deps, startedBy);
    this.#wakeKeeper();
    for (;;) {
      const job = await readReindex(this.#deps.database, number);
      if (job === undefined) throw new Error("the job of a running reindex was deleted");
      yield job;
      if (job.phase === "done") return;
      if (job.endedAt !== undefined) throw brokenOff(job);
      await sleep(checkMs, undefined, { signal });
    }
  }

  /** The current reindex, else the last one; undefined before the first. */
  async describe(): Promise<ReindexJob | undefined> {
    return await lastReindex(this.#deps.database);
  }

  /**
   * Cancels the current reindex, unless it is activating.
   *
   * @returns its state; undefined when there is none
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
 * Requests a reindex, which this process claims first. An abandoned one for the same index is resumed.
 *
 * @param startedBy the requester, for people
 * @returns its number
 * @throws ServiceError ABORTED when another one is in progress.
 */
export async function requestReindex(
  deps: ReindexDependencies,
  startedBy: string,
): Promise<number> {
  const { database, holder } = deps;
  const signature = await deps.configuration.signature();
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

/** Ends a reindex of a configuration that no process requests any more. */
export async function endOutdated(tx: Transaction, { number }: ReindexJob): Promise<void> {
  await endReindex(tx, { number }, "failed", "another index was requested meanwhile");
}
