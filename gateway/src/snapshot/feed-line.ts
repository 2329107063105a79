import { fromBinary } from "@bufbuild/protobuf";
import type { JsonObject } from "@bufbuild/protobuf";
import { EntryRecordSchema } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { EntryRecord } from "@storefront/contracts/changelog/v1/changelog_ingest_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { kinds, lineText } from "@storefront/import-format";
import type { Kind } from "@storefront/import-format";
import { setImmediate } from "node:timers/promises";

/** Entries that are written before other requests have their turn: a millisecond or two of them. */
const entriesPerSlice = 25;

/** The text of entries, a slice at a time. */
export async function* textInSlices(
  entries: readonly FeedEntry[],
  write: (entry: FeedEntry) => string,
): AsyncGenerator<string> {
  for (let start = 0; start < entries.length; start += entriesPerSlice) {
    if (start > 0) await setImmediate();
    const slice = entries.slice(start, start + entriesPerSlice);
    yield slice.map(write).join("");
  }
}

/** A record of a snapshot as a line of an export. */
export function recordLine(entry: FeedEntry): string {
  const kind = kindOf(entry);
  const isDeletion = entry.record === undefined;
  const isOfChangelog = kind.service === "changelog";
  return lineText({
    isRestored: isOfChangelog || (isStoredAsGiven(kind, entry) && !isDeletion),
    kind: kind.name,
    op: isDeletion ? "delete" : "upsert",
    observedAt: isOfChangelog ? undefined : entry.observedAt,
    record: recordOf(kind, entry),
  });
}

/** A write as a line of the changes. */
export function changeLine(entry: FeedEntry): string {
  const kind = kindOf(entry);
  const isOfChangelog = kind.service === "changelog";
  const op = entry.record !== undefined ? "upsert" : entry.isForgotten ? "forget" : "delete";
  return lineText({
    // An entry of another source is as new to a copy as it was here, and changes its subject as it did here.
    isRestored: isOfChangelog ? entry.subjectKey.length > 0 : isStoredAsGiven(kind, entry),
    kind: kind.name,
    op,
    observedAt: isOfChangelog ? undefined : entry.observedAt,
    committedAt: entry.committedAt,
    record: recordOf(kind, entry),
  });
}

/** The entries of the catalogue's records are copied too, and prices may be in regions that follow or are deleted. */
function isStoredAsGiven({ service }: Kind, { record }: FeedEntry): boolean {
  return service === "catalog" || (service === "pricing" && record !== undefined);
}

function kindOf({ kind: name }: FeedEntry): Kind {
  const kind = kinds.get(name);
  if (kind === undefined) throw new Error(`this release knows no kind ${name}`);
  return kind;
}

function recordOf(kind: Kind, entry: FeedEntry): JsonObject {
  const { record, key } = entry;
  if (record === undefined) {
    return Object.fromEntries(kind.identity.map((member, index) => [member, key[index] ?? ""]));
  }
  const message =
    kind.name === "entry"
      ? entryRecord(record.value, entry)
      : fromBinary(kind.schema, record.value);
  return kind.write(message);
}

/** An EntryRecord begins as an Entry does. */
function entryRecord(entry: Uint8Array, { subjectKey }: FeedEntry): EntryRecord {
  const record = fromBinary(EntryRecordSchema, entry);
  const isMore = subjectKey.length > 1 || subjectKey[0] !== record.contextId;
  if (isMore) record.key = subjectKey;
  return record;
}
