import type { LogPosition } from "./log/log-source.ts";
import { NewerEntries } from "./newer-entries.ts";
import type { Resynchronisation } from "./resynchronise.ts";
import { readPage } from "./snapshot-page.ts";
import type { SnapshotProgress } from "./snapshot-progress.ts";
import { StepSize } from "./step-size.ts";
import { takeSnapshot } from "./take-snapshot.ts";
import type { SnapshotReconciliation } from "./take-snapshot.ts";

/** How a snapshot is taken while the log is not followed. */
export interface ReconcileOptions {
  /**
   * Where one goes on that was broken off. Default: it begins with the first record, and where it is broken off nothing is
   * remembered.
   */
  readonly progress?: SnapshotProgress | undefined;
}

/**
 * Lets a follower take every record of a snapshot and take away what the snapshot does not have, before the log is
 * followed.
 *
 * @returns the place from which to follow the log.
 */
export async function reconcileWithSnapshot(
  at: Resynchronisation,
  reconciliation: SnapshotReconciliation,
  { progress }: ReconcileOptions = {},
): Promise<LogPosition> {
  const { client, signal } = at;
  const begun = progress ?? (await beginSnapshot(at, reconciliation));
  await takeSnapshot({
    client,
    reconciliation,
    progress: begun,
    newer: new NewerEntries(),
    size: new StepSize(false),
    signal,
    transaction: (work) => at.transaction(work),
    note: async (tx, reached) => {
      if (progress !== undefined) await at.snapshots.store(tx, reached);
    },
  });
  await at.transaction((tx) => at.noteRecords(tx, begun.position.sequence));
  return begun.position;
}

/** A snapshot before its first record. */
export async function beginSnapshot(
  { client, reason, signal }: Pick<Resynchronisation, "client" | "reason" | "signal">,
  { kinds: [kind = ""] }: Pick<SnapshotReconciliation, "kinds">,
): Promise<SnapshotProgress> {
  const { position } = await readPage(client, { kind, key: [] }, 1, signal);
  return { reason, position, kind, key: [], records: 0 };
}
