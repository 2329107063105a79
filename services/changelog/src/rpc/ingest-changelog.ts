import type { ServiceImpl } from "@connectrpc/connect";
import type {
  ChangelogIngestService,
  ChangelogObservation,
  EntrySubject,
} from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { ObservationOperation, IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { identifier } from "@storefront/rpc";
import { keyFault } from "../domain/check-entry.ts";
import type { Fault } from "../domain/check-entry.ts";
import type { SubjectState } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/entry-writer.ts";
import { readForeignEntry, readRestoredEntry, isSameEntry } from "./sent-entry.ts";
import type { CommitSignal } from "@storefront/change-feed";
import type { Database, Transaction } from "@storefront/database";
import type { IngestMetrics } from "@storefront/ingest";
import { isSameState, refText } from "../domain/subject-state.ts";
import { lockEntries, storedEntries, storeEntries } from "../store/entry-writer.ts";
import { loadSubjects } from "../store/subject-store.ts";

export function ingestHandlers(deps: BatchDependencies) {
  return {
    async *ingestEntries(requests) {
      for await (const { entries } of requests) {
        const kinds = entries.map(() => "entry");
        yield await storeBatch(deps, kinds, () => entries.map(readForeignEntry));
      }
    },

    async *ingestChangelog(requests) {
      for await (const { observations, isMirrored } of requests) {
        const kinds = observations.map(({ record }) => record.case);
        const read = (observation: ChangelogObservation) =>
          readObservation(observation, isMirrored);
        yield await storeBatch(deps, kinds, () => observations.map(read));
      }
    },
  } satisfies Partial<ServiceImpl<typeof ChangelogIngestService>>;
}

function readObservation(
  { operation, record }: ChangelogObservation,
  isMirrored: boolean,
): NewEntry | Fault {
  if (operation === ObservationOperation.DELETE) {
    return { field: "", rule: "cannot be deleted" };
  }
  switch (record.case) {
    case "entry":
      return operation === ObservationOperation.RESTORE
        ? readRestoredEntry(record.value)
        : readForeignEntry(record.value);
    case "entrySubject":
      return readRestoredSubject(record.value, isMirrored);
    default:
      return { field: "record", rule: "is required" };
  }
}

/** What to store for an exported subject, or the rule that it breaks. */
function readRestoredSubject(sent: EntrySubject, isMirrored: boolean): NewEntry | Fault {
  const { type, key, namespace, app, itemId, releaseApps, isObserved } = sent;
  const fault =
    faultOf("type", [type]) ??
    keyFault(key) ??
    faultOf("namespace", [namespace]) ??
    faultOf("app", [app]) ??
    faultOf("itemId", [itemId]) ??
    faultOf("releaseApps", releaseApps);
  if (fault !== undefined) return fault;
  const apps = [...new Set(releaseApps)].toSorted();
  const state: SubjectState = { namespace, app, itemId, releaseApps: apps, isObserved };
  return {
    id: "",
    observedAt: new Date(0),
    contextType: type,
    contextId: "",
    namespace: "",
    bytes: undefined,
    subject: { type, key: key.join("\n") },
    // The local catalog takes precedence, unless it only mirrors another one.
    observe: (before) => (before?.isObserved === true && !isMirrored ? before : state),
  };
}

function faultOf(field: string, values: readonly (string | undefined)[]): Fault | undefined {
  const rule = values
    .map((value) => value !== undefined && identifier(value))
    .find((each) => typeof each === "string");
  return rule === undefined ? undefined : { field, rule };
}

interface BatchDependencies {
  database: Database;
  /** Where batches are counted; default nowhere. */
  counts: IngestMetrics | undefined;
  /** Notified of each commit. */
  commits: CommitSignal;
}

/**
 * Stores a batch, in one transaction. What is already stored does not change.
 *
 * @param kinds names of each, for the reasons of rejections.
 * @param read returns what to store for each, or the rule that it breaks.
 */
async function storeBatch(
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

/** The outcome of each of these, in order, compared with the stored ones. */
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
