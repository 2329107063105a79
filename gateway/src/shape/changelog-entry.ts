import type { ChangeContext } from "@storefront/contracts/catalog/v1/catalog_service";
import type { Entry } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Change as ChangeRecord } from "@storefront/contracts/type/v1/change";
import type { Change, ChangelogEntry } from "../schemas/changelog-entry.ts";
import { changelogContextOf } from "./change-context.ts";
import { hydrateValue, jsonOf } from "./hydrate-value.ts";
import { instantOf } from "./instant.ts";
import type { Shows } from "./shows.ts";

const changeTypes = new Map<ChangeType, Change["changeType"]>([
  [ChangeType.INSERT, "insert"],
  [ChangeType.UPDATE, "update"],
  [ChangeType.DELETE, "delete"],
]);

/** A stored entry as REST shows it, without a document; the context is that of its record. */
export function changelogEntryOf(entry: Entry, context: ChangeContext | undefined): ChangelogEntry {
  return {
    _id: entry.id,
    timestamp: instantOf(entry.timestamp),
    metadata: metadataOf(entry, context),
  };
}

/** All of an entry but what stands beside it, and its namespace, which the record itself tells. */
type Metadata = Shows<ChangelogEntry["metadata"], Entry, "id" | "timestamp" | "namespace">;

function metadataOf(entry: Entry, context: ChangeContext | undefined): Metadata {
  return {
    contextType: entry.contextType,
    contextId: entry.contextId,
    context: context === undefined ? null : changelogContextOf(context),
    changes: entry.changes.map(changeOf),
  };
}

function changeOf(record: ChangeRecord): Shows<Change, ChangeRecord> {
  // No other type is stored.
  const changeType = changeTypes.get(record.changeType) ?? "update";
  const change: Change = {
    changeType,
    action: changeType,
    type: record.type === "" ? null : record.type,
    field: record.field,
  };
  const values = {
    oldValue: hydrateValue(record.oldValue, record.oldValueRaw),
    newValue: hydrateValue(record.newValue, record.newValueRaw),
    oldValueRaw: jsonOf(record.oldValueRaw),
    newValueRaw: jsonOf(record.newValueRaw),
  };
  return Object.assign(change, values);
}
