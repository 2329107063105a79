import { create, fromJson } from "@bufbuild/protobuf";
import type { JsonObject } from "@bufbuild/protobuf";
import { anyUnpack, timestampDate, ValueSchema } from "@bufbuild/protobuf/wkt";
import { beginSnapshot, reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation, SnapshotProgress } from "@storefront/change-feed";
import { AssetSchema } from "@storefront/contracts/catalog/v1/asset";
import { BuildSchema } from "@storefront/contracts/catalog/v1/build";
import { ItemSchema } from "@storefront/contracts/catalog/v1/item";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import { ChangeSchema, ChangeType } from "@storefront/contracts/type/v1/change";
import type { Change } from "@storefront/contracts/type/v1/change";
import type { Database, Transaction } from "@storefront/database";
import { entryOfFeed } from "../apply-catalog-feed.ts";
import { snapshotEntryIdOf } from "../domain/entry-id.ts";
import { recordDigest, snapshotChange } from "../domain/snapshot-change.ts";
import { observedTypes, refText, subjectOf } from "../domain/subject-state.ts";
import { EntryLog } from "../store/entry-log.ts";
import { lockEntries, storeEntries } from "../store/entry-writer.ts";
import { observedKeys } from "../store/observed-keys.ts";
import { findLoggedStates } from "../store/own-entry-store.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { findCommonPlace, hasPosition, judgeEntry } from "./catalog-log.ts";
import { takeBackDuplicates, undoEntriesAfter } from "./undo-entries.ts";

/**
 * Makes the changelog agree with the catalog's log: undoes the entries of writes that the catalog has lost, and
 * returns the position from which the log has the rest. Resumes an interrupted snapshot.
 */
export async function resynchroniseChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  const begun = await at.snapshots.find(database);
  // The log may have lost the position since; then the entries of the snapshot are undone, too.
  if (begun !== undefined && (await hasPosition(at, begun.position))) {
    return await reconcileChangelog(at, begun);
  }
  const common = await findCommonPlace(database, (entry) => judgeEntry(at, entry));
  const undone = await undoEntriesAfter(at, common.sequence);
  at.logger.warn(
    { feed: at.feed, undone, lastSequence: String(common.sequence) },
    "entries of writes that the catalog has lost are undone",
  );
  if (begun !== undefined) await at.transaction((tx) => at.snapshots.remove(tx));
  return common.followFrom ?? (await reconcileChangelog(at));
}

/**
 * Makes the changelog agree with all records of the catalog, where the log no longer has their writes. This
 * precedes following the log: the entries of a snapshot depend on those stored before.
 *
 * @param begun progress of an interrupted snapshot; default none
 * @returns the position from which to follow the log.
 */
export async function reconcileChangelog(
  at: Resynchronisation,
  begun?: SnapshotProgress,
): Promise<LogPosition> {
  const reconciliation = {
    kinds: observedTypes,
    reconcile: reconcileRecords,
    storedKeys: observedKeys,
  };
  const progress = begun ?? (await beginSnapshot(at, reconciliation));
  const position = await reconcileWithSnapshot(at, reconciliation, progress);
  await takeBackDuplicates(at, position);
  await at.transaction((tx) => at.snapshots.remove(tx));
  return position;
}

const changeTypes = {
  insert: ChangeType.INSERT,
  update: ChangeType.UPDATE,
  delete: ChangeType.DELETE,
} as const;

/**
 * Stores the changes of records since their newest entries, where the log does not have them: one entry for each
 * new, changed or deleted record, with a single change of the field `*`. Updates the state of every record.
 */
async function reconcileRecords(
  tx: Transaction,
  records: readonly FeedEntry[],
  position: LogPosition,
): Promise<void> {
  await lockEntries(tx);
  const subjects = await loadSubjects(tx, records.map(subjectOf));
  const logged = await findLoggedStates(
    tx,
    [...subjects.values()].map(({ id }) => id),
  );
  let { sequence: place } = await new EntryLog(tx).newest();
  const entries = records.map((record) => {
    const subject = subjects.get(refText(subjectOf(record)));
    const change = snapshotChange(subject && logged.get(subject.id), {
      digest: recordDigest(record.record),
      observedAt: record.observedAt === undefined ? new Date(0) : timestampDate(record.observedAt),
    });
    const write = create(FeedEntrySchema, {
      ...record,
      sequence: position.sequence,
      namespace: record.namespace || (subject?.state.namespace ?? ""),
      changes: change === undefined ? [] : [wholeChange(change, record)],
    });
    // The positions of the entries of one snapshot ascend without duplicates.
    if (change !== undefined) place++;
    return entryOfFeed(write, snapshotEntryIdOf(position, place));
  });
  await storeEntries(tx, entries);
}

/** The former state of a record is unknown; of a deleted one only the identity is known. */
function wholeChange(change: keyof typeof changeTypes, record: FeedEntry): Change {
  const summary = fromJson(ValueSchema, recordSummary(record));
  const values = change === "delete" ? { oldValue: summary } : { newValue: summary };
  return create(ChangeSchema, {
    changeType: changeTypes[change],
    type: "object",
    field: "*",
    ...values,
  });
}

/**
 * The summary of a whole record, as the catalog makes it for a new one. Of a deleted record only the identity is
 * known.
 */
function recordSummary(entry: Pick<FeedEntry, "kind" | "key" | "record">): JsonObject {
  return Object.fromEntries(
    Object.entries(membersOf(entry)).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}

type Members = Record<string, string | undefined>;

function membersOf({ kind, key, record }: Pick<FeedEntry, "kind" | "key" | "record">): Members {
  const [id, platform, namespace] = key;
  switch (kind) {
    case "asset": {
      const title = record && anyUnpack(record, AssetSchema)?.title;
      return { artifactId: id, platform, title, namespace };
    }
    case "build": {
      const build = record && anyUnpack(record, BuildSchema);
      return { id, appName: build?.appName, buildVersion: build?.buildVersion };
    }
    case "sandbox":
      return { id, title: record && anyUnpack(record, SandboxSchema)?.title, namespace: id };
    default: {
      const schema = kind === "item" ? ItemSchema : OfferSchema;
      const titled = record && anyUnpack(record, schema);
      return { id, title: titled?.title, namespace: titled?.namespace };
    }
  }
}
