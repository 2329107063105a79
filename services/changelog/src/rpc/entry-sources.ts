import { encodeCommitted, encodeEntry, identityOf } from "@storefront/change-feed";
import type { CurrentRecords, LogEntry, LogSource } from "@storefront/change-feed";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { EntryLog, LoggedEntry } from "../store/entry-log.ts";

/** Kind of everything in this service's feed. */
const entryKind = "entry";

/** The log as Entry messages, for WatchEntries. */
export function entrySource(log: EntryLog): LogSource {
  return sourceOf(log, ({ entry }) => entry);
}

/** The log as FeedEntry messages, for FeedService: kind `entry`, the Entry as its record. */
export function feedSource(log: EntryLog): LogSource {
  return sourceOf(log, feedEntryOf);
}

/** Every entry, for ReadSnapshot. */
export function currentEntries(log: EntryLog): CurrentRecords {
  return async function* read(kinds) {
    if (kinds?.includes(entryKind) === false) return;
    const { sequence: last } = await log.newest();
    for (let after = 0n; after < last;) {
      const { entries } = await log.read(after);
      yield* entries.map(logEntryOf);
      after = entries.at(-1)?.position ?? last;
    }
  };
}

function sourceOf(log: EntryLog, encode: (entry: LoggedEntry) => Uint8Array): LogSource {
  return {
    async read(after, kinds) {
      const { entries, at, newest } = await log.read(after);
      const last = entries.at(-1);
      const through =
        last === undefined
          ? at
          : { sequence: last.position, identity: identityOf(last.committed_us) };
      const isWanted = kinds === undefined || kinds.includes(entryKind);
      return { entries: isWanted ? entries.map(encode) : [], at, through, newest };
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
    record: { schema: EntrySchema, bytes: entry },
  };
}
