import type { Transaction } from "@storefront/database";
import { listGenerations } from "../store/generation-store.ts";
import { inWritersTurn } from "../store/in-writers-turn.ts";
import { addReindex, endReindex, lastReindex } from "../store/reindex-job-store.ts";
import type { ReindexJob } from "../store/reindex-job-store.ts";
import type { ReindexDependencies } from "./reindex-steps.ts";
import { sweepGenerations } from "./retire-generations.ts";
import { takenOver } from "./taken-over.ts";

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
    // A release that knows no jobs builds without one.
    const isBuilding = (await listGenerations(tx)).some((each) => !each.isLive && each.isTouched);
    if (isBuilding) throw takenOver();
    return await addReindex(tx, { signature, startedBy, holder });
  });
}

/** Ends a reindex of an index that nobody asks for any more. */
export async function endOutdated(tx: Transaction, { number }: ReindexJob): Promise<void> {
  await endReindex(tx, { number }, "failed", "another index was asked for meanwhile");
}
