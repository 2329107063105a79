import type { Resynchronisation } from "@storefront/change-feed";
import type { Transaction } from "@storefront/database";
import { afterForeignEntry, unknownPlace } from "../domain/subject-state.ts";
import { lockEntries } from "../store/entry-writer.ts";
import { moveSubjects } from "../store/scope-store.ts";
import { takeMovesFrom } from "../store/subject-move-store.ts";
import { loadSubjectsByNumber, removeSubjects, storeSubjects } from "../store/subject-store.ts";
import { findRemaining, listOwnIdsAfter, takeBackEntries } from "../store/undo-store.ts";
import type { TakenEntry } from "../store/undo-store.ts";

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
