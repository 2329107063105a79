import { toJson } from "@bufbuild/protobuf";
import { timestampMs, ValueSchema } from "@bufbuild/protobuf/wkt";
import type { Value } from "@bufbuild/protobuf/wkt";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { indexWords } from "../domain/text-words.ts";
import { entryTable, storeSources } from "../store/source-tables.ts";
import type { SourceEntry } from "../store/source-tables.ts";
import type { IndexChanges } from "./index-changes.ts";
import { latestRecords, present, removedIds } from "./latest-records.ts";

/** Stores new changelog entries and deletes undone ones; returns what must be indexed. */
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

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Limit of indexed words per entry. */
const maxWords = 5_000;

/** The distinct words of values at any depth, without member names. */
function wordsOfValues(values: readonly (Json | undefined)[]): string {
  const words = new Set<string>();
  for (const value of values) {
    for (const text of textsIn(value)) {
      for (const word of indexWords(text)) {
        if (words.size >= maxWords) return [...words].join(" ");
        words.add(word);
      }
    }
  }
  return [...words].join(" ");
}

function* textsIn(value: Json | undefined): Generator<string> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") yield String(value);
  else for (const member of Object.values(value)) yield* textsIn(member);
}
