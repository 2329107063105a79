import { create, toBinary } from "@bufbuild/protobuf";
import { anyUnpack, timestampDate } from "@bufbuild/protobuf/wkt";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { entryIdOf } from "../domain/entry-id.ts";
import { recordDigest } from "../domain/record-digest.ts";
import { afterWrite } from "../domain/subject-state.ts";
import type { Sighting } from "../domain/subject-state.ts";
import type { NewEntry } from "../store/new-entry.ts";

/**
 * The canonical entry of a write of the catalog.
 *
 * @param id that of another release, for an entry that has it already.
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
    subject: { type: kind, key: key.join("\n") },
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
