import { encodeCommitted, encodeEntry, identityOf } from "@storefront/change-feed";
import type { CurrentRecords, LogEntry, LogSource } from "@storefront/change-feed";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { EntryLog, LoggedEntry } from "../store/entry-log.ts";
import { entryUndone } from "./place-after.ts";

/** Kind of everything in this service's feed. */
const entryKind = "entry";

/**
 * The log as Entry messages, for WatchEntries. Reading fails with ENTRY_UNDONE where an entry is taken back that
 * the reader has been given.
 */
export function entrySource(log: EntryLog): LogSource {
  return sourceOf(log, ({ id, entry, entry_position }, after) => {
    if (entry !== null) return [entry];
    if (entry_position !== null && entry_position <= after) throw entryUndone(id);
    return [];
  });
}

/** The log as FeedEntry messages, for FeedService: kind `entry`, the Entry as its record until it is taken back. */
export function feedSource(log: EntryLog): LogSource {
  return sourceOf(log, (logged) => [feedEntryOf(logged)]);
}

/** Every entry, for ReadSnapshot. */
export function currentEntries(log: EntryLog): CurrentRecords {
  return async function* read(kinds) {
    if (kinds?.includes(entryKind) === false) return;
    const { sequence: last } = await log.newest();
    for (let after = 0n; after < last;) {
      const { entries } = await log.read(after);
      yield* entries.filter(({ entry }) => entry !== null).map(logEntryOf);
      after = entries.at(-1)?.position ?? last;
    }
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

function logEntryOf({ id, namespace, observed_at, entry }: LoggedEntry): LogEntry {
  return {
    kind: entryKind,
    key: [id],
    namespace,
    observedAt: observed_at,
    changes: [],
    record: entry === null ? undefined : { schema: EntrySchema, bytes: entry },
  };
}
