import type { LogPosition } from "@storefront/change-feed";
import type { Queryable, Transaction } from "@storefront/database";
import { readOwnEntryId, snapshotIdPattern, snapshotIdPrefix } from "../domain/entry-id.ts";

/** An entry that tells what a snapshot showed. */
export interface SnapshotEntry {
  readonly id: string;
  /** Of the record as it was shown. */
  readonly digest: bigint;
}

const find = {
  name: "changelog.findSnapshotEntries",
  text: `
    select subject, id, record_digest as digest from changelog.entry
    where subject = any($1::int8[]) and starts_with(id, $2) and record_digest is not null
    order by position`,
};

/** The entries that a snapshot at this place has made, by the numbers of their records: at most one of each. */
export async function findSnapshotEntries(
  tx: Transaction,
  subjects: readonly bigint[],
  position: LogPosition,
): Promise<Map<bigint, SnapshotEntry>> {
  const rows = await tx.read<SnapshotEntry & { subject: bigint }>(find, [
    subjects,
    snapshotIdPrefix(position),
  ]);
  return new Map(rows.map(({ subject, id, digest }) => [subject, { id, digest }]));
}

/** Where the newest snapshot was that entries tell of; undefined when none do. */
export async function newestSnapshotPlace(queryable: Queryable): Promise<LogPosition | undefined> {
  const row = await queryable.readOne<{ id: string }>(
    `select id from changelog.entry where id ~ '${snapshotIdPattern}' and is_restored is not true
      order by id desc limit 1`,
  );
  return row && readOwnEntryId(row.id);
}
