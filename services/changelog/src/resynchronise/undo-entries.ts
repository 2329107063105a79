import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Transaction } from "@storefront/database";
import { recordDigest } from "../domain/snapshot-change.ts";
import { afterForeignEntry, refText, unknownPlace } from "../domain/subject-state.ts";
import { lockEntries } from "../store/entry-writer.ts";
import { findSnapshotEntries } from "../store/own-entry-store.ts";
import { moveSubjects, takeMovesFrom } from "../store/scope-store.ts";
import {
  loadSubjects,
  loadSubjectsByNumber,
  removeSubjects,
  storeSubjects,
} from "../store/subject-store.ts";
import { findRemaining, listOwnIdsAfter, takeBackEntries } from "../store/undo-store.ts";
import type { TakenEntry } from "../store/undo-store.ts";
import { newestSequence, readLog } from "./read-log.ts";

/** Entries of one transaction, for which readers and foreign entries hardly wait. */
const batchSize = 500;

/**
 * Takes back the entries of all writes after a sequence, the newest first: out of the log and of every list,
 * and their records are again where they were before.
 *
 * @returns how many there were.
 */
export async function undoEntriesAfter(at: Resynchronisation, sequence: bigint): Promise<number> {
  for (let undone = 0; ; at.signal.throwIfAborted()) {
    const taken = await at.transaction((tx) => undoNewest(tx, sequence));
    if (taken === 0) return undone;
    undone += taken;
  }
}

async function undoNewest(tx: Transaction, sequence: bigint): Promise<number> {
  await lockEntries(tx);
  const ids = await listOwnIdsAfter(tx, sequence, batchSize);
  if (ids.length > 0) await putBack(tx, await takeBackEntries(tx, ids));
  return ids.length;
}

/** The records of the taken entries, all of which are newer than those that are left of them. */
async function putBack(tx: Transaction, taken: readonly TakenEntry[]): Promise<void> {
  const subjects = [...new Set(taken.map(({ subject }) => subject))];
  const firstSequence = taken.reduce(
    (first, { sequence }) => (sequence < first ? sequence : first),
    taken[0]?.sequence ?? 0n,
  );
  const places = await takeMovesFrom(tx, subjects, firstSequence);
  const remaining = await findRemaining(tx, subjects);
  const stored = await loadSubjectsByNumber(tx, subjects);
  const { affected } = await storeSubjects(
    tx,
    stored.map(({ id, ref, state }) => {
      const left = remaining.get(id);
      if (left === undefined) return { ref, before: state, after: unknownPlace };
      const after = left.hasOwn
        ? (places.get(id) ?? state)
        : afterForeignEntry(undefined, ref, left.foreignNamespace);
      return { ref, before: state, after };
    }),
  );
  await moveSubjects(tx, affected);
  await removeSubjects(
    tx,
    subjects.filter((id) => !remaining.has(id)),
  );
}

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
  const end = await newestSequence(at.client, at.signal);
  for await (const writes of readLog(at, position, end)) {
    await at.transaction((tx) => takeBack(tx, writes, position));
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
