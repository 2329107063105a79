import { toBinary } from "@bufbuild/protobuf";
import { encodeCommitted, encodeEntry, identityOf } from "@storefront/change-feed";
import type { CurrentRecords, LogEntry, LogSource, RecordsWithPast } from "@storefront/change-feed";
import { EntrySubjectSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntrySubject } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Queryable } from "@storefront/database";
import type { EntryLog, LoggedEntry, LogStretch } from "../store/entry-log.ts";
import { everySubject } from "../store/subject-store.ts";
import { entryUndone } from "./entries.ts";

/** Kind of everything in this service's feed. */
const entryKind = "entry";

/** Entries read at a time by a snapshot: each is at most 1 MiB, and mostly a kilobyte. */
const pageRows = 200;

/** Kind of the records of entries, which a copy has too. */
const subjectKind = "entrySubject";

/**
 * The log as Entry messages, for WatchEntries. Reading fails with ENTRY_UNDONE at the undo of an entry that the
 * reader has received.
 */
export function entrySource(log: EntryLog): LogSource {
  return sourceOf(log, ({ id, entry, entry_position }, after) => {
    if (entry !== null) return [entry];
    if (entry_position !== null && entry_position <= after) throw entryUndone(id);
    return [];
  });
}

/** The log as FeedEntry messages, for FeedService: kind `entry`, the Entry as its record until it is undone. */
export function feedSource(log: EntryLog): LogSource {
  return sourceOf(log, (logged) => [feedEntryOf(logged)]);
}

/** Every entry by its id, for ReadSnapshot. */
export function currentEntries(log: EntryLog): CurrentRecords {
  return async function* read(kinds, [start = ""] = []) {
    if (kinds?.includes(entryKind) === false) return;
    for (let after: string | undefined = start; after !== undefined;) {
      const entries: readonly LoggedEntry[] = await log.listById(after, pageRows);
      yield* entries.map(logEntryOf);
      after = entries.length < pageRows ? undefined : entries.at(-1)?.id;
    }
  };
}

/** The same with the states of records, for a copy: those first, since the lists of entries depend on them. */
export function entriesWithSubjects(log: EntryLog, database: Queryable): RecordsWithPast {
  return async function* read(kinds, { sequence: last }) {
    if (kinds?.includes(subjectKind) !== false) {
      for await (const subject of everySubject(database)) yield logEntryOfSubject(subject);
    }
    if (kinds?.includes(entryKind) === false) return;
    for await (const entry of everyEntry(log, last)) yield logEntryOf(entry);
  };
}

/**
 * All entries in the order of the log, without undone ones.
 *
 * @param last the position of the last one; default the end of the log
 */
export async function* everyEntry(log: EntryLog, last?: bigint) {
  for (let after: bigint | undefined = 0n; after !== undefined;) {
    const { entries }: LogStretch = await log.read(after);
    for (const { entry, ...logged } of entries) {
      if (last !== undefined && logged.position > last) return;
      if (entry !== null) yield { ...logged, entry };
    }
    after = entries.at(-1)?.position;
  }
}

function logEntryOfSubject(subject: EntrySubject): LogEntry {
  return {
    kind: subjectKind,
    key: [subject.type, ...subject.key],
    namespace: "",
    // States have no time of their own.
    observedAt: new Date(0),
    changes: [],
    record: { schema: EntrySubjectSchema, bytes: toBinary(EntrySubjectSchema, subject) },
  };
}

function sourceOf(
  log: EntryLog,
  encode: (entry: LoggedEntry, after: bigint) => readonly Uint8Array[],
): LogSource {
  return {
    async read(after, filter) {
      const { entries, at, newest } = await log.read(after);
      const last = entries.at(-1);
      const through =
        last === undefined
          ? at
          : { sequence: last.position, identity: identityOf(last.committed_us) };
      const isWanted = filter?.kinds?.includes(entryKind) !== false;
      const encoded = isWanted ? entries.flatMap((entry) => encode(entry, after)) : [];
      return { entries: encoded, at, start: 0n, through, newest };
    },
    newest: () => log.newest(),
    extent: () => log.extent(),
    id: () => log.logId(),
  };
}

function feedEntryOf(logged: LoggedEntry): Uint8Array {
  return encodeCommitted(logged.position, logged.committed_us, encodeEntry(logEntryOf(logged)));
}

function logEntryOf(logged: LoggedEntry): LogEntry {
  const { id, namespace, observed_at, entry, subject_key } = logged;
  return {
    kind: entryKind,
    key: [id],
    namespace,
    observedAt: observed_at,
    changes: [],
    record: entry === null ? undefined : { schema: EntrySchema, bytes: entry },
    subjectKey: subject_key?.split("\n"),
  };
}
