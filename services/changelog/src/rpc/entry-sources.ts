import { encodeCommitted, encodeEntry, identityOf } from "@storefront/change-feed";
import type { LogSource } from "@storefront/change-feed";
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
  const { position, id, namespace, observed_at, committed_us, entry } = logged;
  const encoded = encodeEntry({
    kind: entryKind,
    key: [id],
    namespace,
    observedAt: observed_at,
    changes: [],
    record: { schema: EntrySchema, bytes: entry },
  });
  return encodeCommitted(position, committed_us, encoded);
}
