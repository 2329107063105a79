import type { CommitSignal } from "@storefront/change-feed";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import type { Database, Transaction } from "@storefront/database";
import type { IngestMetrics } from "@storefront/ingest";
import type { Fault } from "../domain/check-entry.ts";
import { isSameState, refText } from "../domain/subject-state.ts";
import { lockEntries, storedEntries, storeEntries } from "../store/entry-writer.ts";
import type { NewEntry } from "../store/entry-writer.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { isSameEntry } from "./sent-entry.ts";

export interface BatchDependencies {
  database: Database;
  /** Where batches are counted; default nowhere. */
  counts: IngestMetrics | undefined;
  /** Notified of each commit. */
  commits: CommitSignal;
}

/**
 * Stores a batch, in one transaction. What is stored already is left as it is.
 *
 * @param kinds names of what each is, for the reasons of those that break a rule.
 * @param read gives what to store for each, or the rule that it breaks.
 */
export async function storeBatch(
  { database, counts, commits }: BatchDependencies,
  kinds: readonly (string | undefined)[],
  read: () => readonly (NewEntry | Fault)[],
) {
  const store = () => storeAll(database, kinds, read());
  const stored = await (counts?.observe(kinds, store) ?? store());
  commits.notify();
  return stored;
}

async function storeAll(
  database: Database,
  kinds: readonly (string | undefined)[],
  read: readonly (NewEntry | Fault)[],
) {
  const rejections = read.flatMap((entry, index) => {
    if (isEntry(entry)) return [];
    const path = [kinds[index], entry.field].filter(Boolean).join(".");
    return [{ index, reason: `${path} ${entry.rule}`, field: entry.field }];
  });
  const outcomes = await database.transaction(async (tx) => {
    await lockEntries(tx);
    const accepted = read.filter(isEntry);
    const outcomeOf = await outcomesBeside(tx, accepted);
    const fresh: NewEntry[] = [];
    const outcomesOfBatch = read.map((entry) => {
      if (!isEntry(entry)) return IngestOutcome.REJECTED;
      const outcome = outcomeOf(entry);
      if (outcome === IngestOutcome.WRITTEN) fresh.push(entry);
      return outcome;
    });
    await storeEntries(tx, fresh);
    return outcomesOfBatch;
  });
  return { outcomes, rejections };
}

/** The outcome of each of these, one after the other, compared with what is stored. */
async function outcomesBeside(
  tx: Transaction,
  entries: readonly NewEntry[],
): Promise<(entry: NewEntry) => IngestOutcome> {
  const ofSubjects = entries.filter(({ bytes }) => bytes === undefined);
  const known = await storedEntries(
    tx,
    entries.flatMap(({ id, bytes }) => (bytes === undefined ? [] : [id])),
  );
  const subjects = await loadSubjects(
    tx,
    ofSubjects.map(({ subject }) => subject),
  );
  return ({ id, bytes, subject, observe }) => {
    if (bytes === undefined) {
      const before = subjects.get(refText(subject))?.state;
      const isKnown = before !== undefined && isSameState(before, observe(before));
      return isKnown ? IngestOutcome.UNCHANGED : IngestOutcome.WRITTEN;
    }
    const stored = known.get(id);
    if (stored !== undefined) {
      return isSameEntry(stored, bytes) ? IngestOutcome.UNCHANGED : IngestOutcome.STALE;
    }
    // The next entry of the batch with this id is compared with this one.
    known.set(id, bytes);
    return IngestOutcome.WRITTEN;
  };
}

function isEntry(read: NewEntry | Fault): read is NewEntry {
  return "bytes" in read;
}
