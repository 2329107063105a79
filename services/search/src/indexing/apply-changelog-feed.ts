import { toJson } from "@bufbuild/protobuf";
import { timestampMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { wordsOfValues } from "../domain/change-words.ts";
import type { Json } from "../domain/change-words.ts";
import { entryTable, storeSources } from "../store/source-tables.ts";
import type { SourceEntry } from "../store/source-tables.ts";
import type { IndexChanges } from "./index-changes.ts";
import { latestRecords, present, removedIds } from "./latest-records.ts";

/** Stores the changelog's new entries, and takes away what was undone; tells what must be indexed. */
export async function applyChangelogFeed(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<IndexChanges> {
  const latest = latestRecords(writes, "entry", EntrySchema);
  const entries = present(latest).map(sourceEntry);
  const removedEntries = removedIds(latest);
  await storeSources(tx, entryTable, entries, removedEntries);
  return { entries: entries.map(({ id }) => id), removedEntries };
}

function sourceEntry(entry: Entry): SourceEntry {
  const { id, timestamp, contextType, contextId, namespace, changes } = entry;
  const values = changes.flatMap((change) => [
    change.field,
    json(change.oldValue),
    json(change.newValue),
    json(change.oldValueRaw),
    json(change.newValueRaw),
  ]);
  return {
    id,
    timestampMs: timestamp === undefined ? 0 : timestampMs(timestamp),
    contextType,
    contextId,
    words: wordsOfValues([contextId, namespace, ...values]),
  };
}

function json(value: Value | undefined): Json | undefined {
  return value && toJson(ValueSchema, value);
}
