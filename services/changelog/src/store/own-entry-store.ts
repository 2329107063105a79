import { fromBinary } from "@bufbuild/protobuf";
import type { LogPosition } from "@storefront/change-feed";
import { EntrySchema } from "@storefront/contracts/changelog/v1/entry";
import { ChangeType } from "@storefront/contracts/type/v1/change";
import type { Queryable, Transaction } from "@storefront/database";
import {
  idAfter,
  ownIdPattern,
  readOwnEntryId,
  snapshotIdPattern,
  snapshotIdPrefix,
} from "../domain/entry-id.ts";
import type { OwnEntryId } from "../domain/entry-id.ts";
import type { LoggedState } from "../domain/snapshot-change.ts";

/**
 * Whether a row of `changelog.entry` is of a write of this catalog's log, as SQL: not foreign, and not from an export,
 * whose ids refer to another log.
 */
export const isOwn = `(id ~ '${ownIdPattern}' and is_restored is not true)`;

/** A canonical entry that is stored. */
export interface OwnEntry {
  readonly id: string;
  readonly says: OwnEntryId;
  readonly contextType: string;
  /** Serialized. */
  readonly entry: Uint8Array;
}

const findNewest = {
  name: "changelog.findNewestOwnUpTo",
  text: `
    select id, context_type, entry from changelog.entry
    where id >= $1 and id < $2 and ${isOwn} order by id desc limit 1`,
};

/** The newest canonical entry of a write after a sequence and up to another; undefined if there is none. */
export async function newestOwnEntry(
  queryable: Queryable,
  after: bigint,
  upTo: bigint,
): Promise<OwnEntry | undefined> {
  const row = await queryable.readOne<{ id: string; context_type: string; entry: Uint8Array }>(
    findNewest,
    [idAfter(after), idAfter(upTo)],
  );
  const says = row && readOwnEntryId(row.id);
  return row && says && { id: row.id, says, contextType: row.context_type, entry: row.entry };
}

const findNamespaces = `
  select distinct on (subject) subject, namespace from changelog.entry
  where subject = any($1::int8[]) and namespace <> '' and ${isOwn}
  order by subject, id desc`;

/** The namespaces of records in their newest canonical entries, by the records' numbers. */
export async function findLoggedNamespaces(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, string>> {
  const rows = await tx.read<{ subject: bigint; namespace: string }>(findNamespaces, [subjects]);
  return new Map(rows.map(({ subject, namespace }) => [subject, namespace]));
}

interface StateRow {
  subject: bigint;
  record_digest: bigint | null;
  observed_at: Date;
  entry: Uint8Array | null;
}

// Ids are in the order of the writes, whenever they were stored. Those of an export, which refer to another log,
// count only where there are no others.
const findStates = {
  name: "changelog.findTold",
  text: `
    select distinct on (subject) subject, record_digest, observed_at,
      case when record_digest is null then entry end as entry
    from changelog.entry where subject = any($1::int8[]) and id ~ '${ownIdPattern}'
    order by subject, is_restored nulls first, id desc`,
};

/** The states of records by their newest entries, without foreign ones, by the records' numbers. */
export async function findLoggedStates(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, LoggedState>> {
  const rows = await tx.read<StateRow>(findStates, [subjects]);
  return new Map(
    rows.map(({ subject, record_digest, observed_at, entry }) => [
      subject,
      {
        digest: record_digest ?? undefined,
        observedAt: observed_at,
        isDeletion: record_digest === 0n || (entry !== null && isDeletion(entry)),
      },
    ]),
  );
}

function isDeletion(entry: Uint8Array): boolean {
  return fromBinary(EntrySchema, entry).changes.some(
    ({ field, changeType }) => field === "*" && changeType === ChangeType.DELETE,
  );
}

/** An entry that was made from a snapshot. */
export interface SnapshotEntry {
  readonly id: string;
  /** Of the record in the snapshot. */
  readonly digest: bigint;
}

const findInSnapshot = {
  name: "changelog.findSnapshotEntries",
  text: `
    select subject, id, record_digest as digest from changelog.entry
    where subject = any($1::int8[]) and starts_with(id, $2) and record_digest is not null
    order by position`,
};

/** The entries of a snapshot at this position, by the numbers of their records: at most one of each. */
export async function findSnapshotEntries(
  tx: Transaction,
  subjects: readonly bigint[],
  position: LogPosition,
): Promise<Map<bigint, SnapshotEntry>> {
  const rows = await tx.read<SnapshotEntry & { subject: bigint }>(findInSnapshot, [
    subjects,
    snapshotIdPrefix(position),
  ]);
  return new Map(rows.map(({ subject, id, digest }) => [subject, { id, digest }]));
}

/** The position of the newest snapshot with entries; undefined when there is none. */
export async function newestSnapshotPlace(queryable: Queryable): Promise<LogPosition | undefined> {
  const row = await queryable.readOne<{ id: string }>(
    `select id from changelog.entry where id ~ '${snapshotIdPattern}' and is_restored is not true
      order by id desc limit 1`,
  );
  return row && readOwnEntryId(row.id);
}
