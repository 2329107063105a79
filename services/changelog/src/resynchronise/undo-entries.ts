import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Transaction } from "@storefront/database";
import { recordDigest } from "../domain/snapshot-change.ts";
import { afterForeignEntry, refText, subjectOf, unknownPlace } from "../domain/subject-state.ts";
import { lockEntries } from "../store/entry-writer.ts";
import { findSnapshotEntries, isOwn } from "../store/own-entry-store.ts";
import { moveSubjects, takeMovesFrom } from "../store/scope-store.ts";
import {
  loadSubjects,
  loadSubjectsByNumber,
  removeSubjects,
  storeSubjects,
} from "../store/subject-store.ts";
import { newestSequence, readLog } from "./catalog-log.ts";
import { idAfter, lastSequence, readOwnEntryId } from "../domain/entry-id.ts";

/** Entries of one transaction, for which readers and foreign entries hardly wait. */
const batchSize = 500;

/**
 * Undoes the entries of all writes after a sequence, the newest first: removes them from the log and from every list,
 * and restores the earlier states of their records.
 *
 * @returns the number of undone entries.
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

/** Restores the records of the undone entries, which are all newer than the remaining ones. */
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
 * Undoes the entries of a snapshot for writes that were made while it was read: the log has them after its position,
 * with all their changes.
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

async function takeBack(
  tx: Transaction,
  writes: readonly FeedEntry[],
  position: LogPosition,
): Promise<void> {
  await lockEntries(tx);
  const subjects = await loadSubjects(tx, writes.map(subjectOf));
  const numbers = [...subjects.values()].map(({ id }) => id);
  const inSnapshot = await findSnapshotEntries(tx, numbers, position);
  const duplicates = writes.flatMap((write) => {
    const subject = subjects.get(refText(subjectOf(write)));
    const entry = subject && inSnapshot.get(subject.id);
    return entry !== undefined && isSameNews(write, entry.digest) ? [entry.id] : [];
  });
  if (duplicates.length > 0) await takeBackEntries(tx, [...new Set(duplicates)]);
}

/**
 * Whether a write made the change that a snapshot found: it left the record in that state, or it created the record,
 * which the snapshot found in some state.
 */
function isSameNews(write: FeedEntry, digest: bigint): boolean {
  const isFirst = write.changes.some(
    ({ field, changeType }) => field === "*" && changeType === ChangeType.INSERT,
  );
  return recordDigest(write.record) === digest || (isFirst && digest !== 0n);
}

/** A canonical entry that is undone. */
interface TakenEntry {
  readonly id: string;
  /** Of its write, in the catalog's log. */
  readonly sequence: bigint;
  readonly subject: bigint;
}

const findNewest = {
  name: "changelog.findNewestOwn",
  text: `
    select id from changelog.entry where id >= $1 and id < $2 and ${isOwn}
    order by id desc limit $3`,
};

// All parts see the entries before the statement. The undo of an entry gets the next position of the log.
const takeBackLogged = `
  with taken as materialized (
    delete from changelog.entry where id = any($1::text[])
    returning id, position, committed_at, namespace, observed_at, context_type, subject
  ), unlisted as (
    delete from changelog.scope_entry as listed
    using taken, changelog.subject_scope
    where subject_scope.subject = taken.subject and listed.scope = subject_scope.scope
      and listed.observed_at = taken.observed_at and listed.id = taken.id
    returning listed.scope
  ), noted as (
    insert into changelog.undone_entry
      (id, entry_position, entry_committed_at, namespace, observed_at)
    select id, position, committed_at, namespace, observed_at from taken order by position desc
  ), fewer as (
    select scope, count(*) as entries from unlisted group by scope
    union all
    select scope.id, count(*) from taken
    join changelog.scope on scope.kind = 'type' and scope.key = taken.context_type
      or scope.kind = 'all'
    group by scope.id
  ), counted as (
    update changelog.scope set entries = scope.entries - fewer.entries
    from fewer where scope.id = fewer.scope
  )
  select id, subject from taken`;

/** Ids of canonical entries of writes after a sequence, newest first. */
async function listOwnIdsAfter(
  tx: Transaction,
  sequence: bigint,
  limit: number,
): Promise<string[]> {
  const rows = await tx.read<{ id: string }>(findNewest, [
    idAfter(sequence),
    idAfter(lastSequence),
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Removes entries from the log and from every list, and records the undo. */
export async function takeBackEntries(
  tx: Transaction,
  ids: readonly string[],
): Promise<TakenEntry[]> {
  const { rows } = await tx.write<{ id: string; subject: bigint }>(takeBackLogged, [ids]);
  return rows.map(({ id, subject }) => ({
    id,
    subject,
    sequence: readOwnEntryId(id)?.sequence ?? 0n,
  }));
}

/** The remaining entries of a record. */
interface RemainingEntries {
  /** Whether canonical ones are among them. */
  readonly hasOwn: boolean;
  /** The last one that foreign entries name. */
  readonly foreignNamespace: string | undefined;
}

const findRest = `
  select subject, bool_or(${isOwn}) as has_own,
    (array_agg(namespace order by position desc)
      filter (where namespace <> '' and not ${isOwn}))[1] as foreign_namespace
  from changelog.entry where subject = any($1::int8[]) group by subject`;

/** By record, without those that have no entries. */
async function findRemaining(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, RemainingEntries>> {
  const rows = await tx.read<{
    subject: bigint;
    has_own: boolean;
    foreign_namespace: string | null;
  }>(findRest, [subjects]);
  return new Map(
    rows.map(({ subject, has_own, foreign_namespace }) => [
      subject,
      { hasOwn: has_own, foreignNamespace: foreign_namespace ?? undefined },
    ]),
  );
}
