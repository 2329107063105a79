import type { Queryable } from "@storefront/database";
import { idAfter, readOwnEntryId } from "../domain/entry-id.ts";
import type { OwnEntryId } from "../domain/entry-id.ts";
import { isOwn } from "./is-own.ts";

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
