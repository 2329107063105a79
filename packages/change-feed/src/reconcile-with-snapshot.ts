import { create } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { beginningOfLog } from "./log-position.ts";
import type { LogPosition } from "./log-position.ts";
import type { Resynchronisation } from "./resynchronise.ts";
import { SnapshotKeys } from "./snapshot-keys.ts";
import type { RecordKey } from "./snapshot-keys.ts";
import { withIdleLimit } from "./watch-feed.ts";
import { wholeRecords } from "./whole-records.ts";

/** The owner reads a page of records between two messages. */
const idleLimitMs = 30_000;

/** How what a follower holds is made to agree with the records of an owner. */
export interface SnapshotReconciliation {
  /** Schema with the table `snapshot_key`; see {@link SnapshotKeys}. */
  readonly schema: string;
  readonly kinds: readonly string[];
  /**
   * Takes records as they are now, 500 or few more; one without a `record` is not there any more. They have no
   * sequence and no changes, and all states that are told of one come together. May be given what it has taken already.
   *
   * @param position of the log that the snapshot was begun at
   */
  readonly reconcile: (
    tx: Transaction,
    entries: readonly FeedEntry[],
    position: LogPosition,
  ) => Promise<void>;
  /** What the follower holds, in pages of at most 500. */
  readonly held: () => AsyncIterable<readonly RecordKey[]>;
}

/**
 * Lets a follower take every record of a snapshot and take away what the snapshot does not have: a batch in
 * memory and in a transaction at a time.
 *
 * @returns the place from which to follow the log.
 */
export async function reconcileWithSnapshot(
  at: Resynchronisation,
  { schema, kinds, reconcile, held }: SnapshotReconciliation,
): Promise<LogPosition> {
  const keys = new SnapshotKeys(schema, at.feed);
  await forgetAll(at, keys);
  let position: LogPosition = beginningOfLog;
  const messages = withIdleLimit(
    (signal) => at.client.readSnapshot({ kinds: [...kinds] }, { signal, timeoutMs: 0 }),
    idleLimitMs,
    at.signal,
  );
  for await (const { entries, sequence, identity } of wholeRecords(messages)) {
    position = { sequence, identity };
    if (entries.length === 0) continue;
    await at.transaction(async (tx) => {
      await reconcile(tx, entries, { sequence, identity });
      await keys.add(tx, entries);
    });
  }
  for await (const page of held()) {
    at.signal.throwIfAborted();
    await at.transaction(async (tx) => {
      const absent = await keys.absentOf(tx, page);
      if (absent.length > 0) await reconcile(tx, absent.map(absentRecord), position);
    });
  }
  await at.transaction((tx) => at.noteRecords(tx, position.sequence));
  await forgetAll(at, keys);
  return position;
}

async function forgetAll(at: Resynchronisation, keys: SnapshotKeys): Promise<void> {
  while (await at.transaction((tx) => keys.forgetSome(tx)));
}

/** An owner that keeps the past of its records tells of it in the snapshot. */
function absentRecord({ kind, key }: RecordKey): FeedEntry {
  const observedAt = timestampNow();
  return create(FeedEntrySchema, { kind, key: [...key], observedAt, isForgotten: true });
}
