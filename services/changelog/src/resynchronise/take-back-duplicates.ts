import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Transaction } from "@storefront/database";
import { recordDigest } from "../domain/snapshot-change.ts";
import { refText } from "../domain/subject-state.ts";
import { lockEntries } from "../store/entry-writer.ts";
import { findSnapshotEntries } from "../store/own-entry-store.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { takeBackEntries } from "../store/undo-store.ts";
import { readLog } from "./read-log.ts";

/**
 * Takes back what a snapshot has told of writes that were made while it was read: the log tells of them after
 * its position, with all that they changed.
 *
 * @param position of the snapshot, after which the log is read up to its end
 */
export async function takeBackDuplicates(
  at: Resynchronisation,
  position: LogPosition,
): Promise<void> {
  const end = await newestSequence(at);
  for await (const writes of readLog(at, position, end)) {
    await at.transaction((tx) => takeBack(tx, writes, position));
  }
}

async function newestSequence({ client, signal }: Resynchronisation): Promise<bigint> {
  const done = new AbortController();
  const call = { signal: AbortSignal.any([signal, done.signal]), timeoutMs: 0 };
  try {
    for await (const { newestSequence: newest } of client.watchChanges({ fromNow: true }, call)) {
      return newest;
    }
    throw new Error("the feed ended before it began");
  } finally {
    done.abort();
  }
}

async function takeBack(
  tx: Transaction,
  writes: readonly FeedEntry[],
  position: LogPosition,
): Promise<void> {
  await lockEntries(tx);
  const refOf = ({ kind, key }: FeedEntry) => ({ type: kind, key: key.join("\n") });
  const subjects = await loadSubjects(tx, writes.map(refOf));
  const numbers = [...subjects.values()].map(({ id }) => id);
  const inSnapshot = await findSnapshotEntries(tx, numbers, position);
  const duplicates = writes.flatMap((write) => {
    const subject = subjects.get(refText(refOf(write)));
    const entry = subject && inSnapshot.get(subject.id);
    return entry !== undefined && isSameNews(write, entry.digest) ? [entry.id] : [];
  });
  if (duplicates.length > 0) await takeBackEntries(tx, [...new Set(duplicates)]);
}

/**
 * Whether a write made what a snapshot found: it left the record in that state, or it began the record, which
 * the snapshot has found in some state.
 */
function isSameNews(write: FeedEntry, digest: bigint): boolean {
  const isFirst = write.changes.some(
    ({ field, changeType }) => field === "*" && changeType === ChangeType.INSERT,
  );
  return recordDigest(write.record) === digest || (isFirst && digest !== 0n);
}
