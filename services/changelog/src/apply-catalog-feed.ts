import { create, toBinary } from "@bufbuild/protobuf";
import { anyUnpack, timestampDate } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { entryIdOf } from "./domain/entry-id.ts";
import { recordDigest } from "./domain/snapshot-change.ts";
import { afterWrite, subjectOf } from "./domain/subject-state.ts";
import type { Sighting } from "./domain/subject-state.ts";
import { lockEntries, storedIds, storeEntries } from "./store/entry-writer.ts";
import type { NewEntry } from "./store/entry-writer.ts";

/**
 * Stores the canonical entries of the catalog's writes, one for each that has changes, and the present state of
 * their records. Entries that are already stored, as when a feed is replayed, do not change.
 */
export async function applyCatalogFeed(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  await lockEntries(tx);
  const stored = await storedOf(tx, writes);
  await storeEntries(
    tx,
    writes.map((write) => {
      const entry = entryOfFeed(write);
      return stored.has(write.sequence) ? { ...entry, bytes: undefined } : entry;
    }),
  );
}

/** Stores the entry of a write that arrives after a later one of its record, whose state does not change. */
export async function applySupersededWrite(tx: Transaction, write: FeedEntry): Promise<void> {
  await storeMissingEntries(tx, [write]);
}

/** Stores the missing entries of writes; the states of known records do not change. */
export async function storeMissingEntries(
  tx: Transaction,
  writes: readonly FeedEntry[],
): Promise<void> {
  await lockEntries(tx);
  const stored = await storedOf(tx, writes);
  const missing = writes.filter((write) => write.changes.length > 0 && !stored.has(write.sequence));
  await storeEntries(
    tx,
    missing.map((write) => {
      const entry = entryOfFeed(write);
      return { ...entry, observe: (now) => now ?? entry.observe(now) };
    }),
  );
}

/** The sequences of the writes whose entries are stored. */
async function storedOf(tx: Transaction, writes: readonly FeedEntry[]): Promise<Set<bigint>> {
  const stored = await storedIds(tx, {
    ids: writes.map(entryIdOf),
    olderIds: writes.map(olderIdOf),
  });
  const isStored = (write: FeedEntry) =>
    stored.has(entryIdOf(write)) || stored.has(olderIdOf(write));
  return new Set(writes.filter(isStored).map(({ sequence }) => sequence));
}

/** For release 0.2.0, which gave entries ids without the identity of the write. */
function olderIdOf({ sequence }: FeedEntry): string {
  return entryIdOf({ sequence, identity: "" });
}

/**
 * The canonical entry of a write of the catalog.
 *
 * @param id for release 0.2.0: the id of an entry that is stored under another one
 */
export function entryOfFeed(write: FeedEntry, id: string = entryIdOf(write)): NewEntry {
  const { sequence, kind, key, namespace, observedAt, changes } = write;
  const [contextId] = key;
  if (contextId === undefined || observedAt === undefined) {
    throw new TypeError(`the write ${sequence} of the feed has no key or no time`);
  }
  const content = { id, timestamp: observedAt, contextType: kind, contextId, namespace, changes };
  const sighting = sightingOf(write);
  return {
    id,
    observedAt: timestampDate(observedAt),
    contextType: kind,
    contextId,
    namespace,
    bytes: changes.length === 0 ? undefined : toBinary(EntrySchema, create(EntrySchema, content)),
    subject: subjectOf(write),
    observe: (before) => afterWrite(before, sighting),
    write: { sequence, recordDigest: recordDigest(write.record) },
  };
}

function sightingOf({ kind, namespace, record }: FeedEntry): Sighting {
  const place = { namespace: namespace === "" ? undefined : namespace };
  if (record === undefined) return place;
  const known = { app: undefined, itemId: undefined, releaseApps: [] };
  switch (kind) {
    case "item": {
      const apps = anyUnpack(record, ItemSchema)?.releaseInfo.flatMap(({ appId }) => appId ?? []);
      return { ...place, record: { ...known, releaseApps: [...new Set(apps)].toSorted() } };
    }
    case "asset": {
      const asset = anyUnpack(record, AssetSchema);
      return { ...place, record: { ...known, app: asset?.artifactId, itemId: asset?.itemId } };
    }
    case "build":
      return { ...place, record: { ...known, app: anyUnpack(record, BuildSchema)?.appName } };
    default:
      return { ...place, record: known };
  }
}
