import type { Transaction } from "@storefront/database";
import { idAfter, lastSequence, readOwnEntryId } from "../domain/entry-id.ts";
import { isOwn } from "./own-entry-store.ts";

/** A canonical entry that is taken back. */
export interface TakenEntry {
  readonly id: string;
  /** Of its write, in the catalog's log. */
  readonly sequence: bigint;
  readonly subject: bigint;
}

const findNewest = {
  name: "changelog.findNewestOwn",
  text: `
    select id from changelog.entry where id >= $1 and id < $2 and ${isOwn}
    order by id desc limit $3`,
};

// All parts see the entries as they were. The second place of an entry is the next one of the log.
const takeBack = `
  with taken as materialized (
    delete from changelog.entry where id = any($1::text[])
    returning id, position, committed_at, namespace, observed_at, context_type, subject
  ), unlisted as (
    delete from changelog.scope_entry as listed
    using taken, changelog.subject_scope
    where subject_scope.subject = taken.subject and listed.scope = subject_scope.scope
      and listed.observed_at = taken.observed_at and listed.id = taken.id
    returning listed.scope
  ), noted as (
    insert into changelog.undone_entry
      (id, entry_position, entry_committed_at, namespace, observed_at)
    select id, position, committed_at, namespace, observed_at from taken order by position desc
  ), fewer as (
    select scope, count(*) as entries from unlisted group by scope
    union all
    select scope.id, count(*) from taken
    join changelog.scope on scope.kind = 'type' and scope.key = taken.context_type
      or scope.kind = 'all'
    group by scope.id
  ), counted as (
    update changelog.scope set entries = scope.entries - fewer.entries
    from fewer where scope.id = fewer.scope
  )
  select id, subject from taken`;

/** Ids of canonical entries of writes after a sequence, newest first. */
export async function listOwnIdsAfter(
  tx: Transaction,
  sequence: bigint,
  limit: number,
): Promise<string[]> {
  const rows = await tx.read<{ id: string }>(findNewest, [
    idAfter(sequence),
    idAfter(lastSequence),
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** Takes entries out of the log and of every list, and notes that they were there. */
export async function takeBackEntries(
  tx: Transaction,
  ids: readonly string[],
): Promise<TakenEntry[]> {
  const { rows } = await tx.write<{ id: string; subject: bigint }>(takeBack, [ids]);
  return rows.map(({ id, subject }) => ({
    id,
    subject,
    sequence: readOwnEntryId(id)?.sequence ?? 0n,
  }));
}

/** What the entries about a record still say of it. */
interface RemainingEntries {
  /** Whether canonical ones are among them. */
  readonly hasOwn: boolean;
  /** The last one that other entries name. */
  readonly foreignNamespace: string | undefined;
}

const findRest = `
  select subject, bool_or(${isOwn}) as has_own,
    (array_agg(namespace order by position desc)
      filter (where namespace <> '' and not ${isOwn}))[1] as foreign_namespace
  from changelog.entry where subject = any($1::int8[]) group by subject`;

/** By record; those that no entry is about are not there. */
export async function findRemaining(
  tx: Transaction,
  subjects: readonly bigint[],
): Promise<Map<bigint, RemainingEntries>> {
  const rows = await tx.read<{
    subject: bigint;
    has_own: boolean;
    foreign_namespace: string | null;
  }>(findRest, [subjects]);
  return new Map(
    rows.map(({ subject, has_own, foreign_namespace }) => [
      subject,
      { hasOwn: has_own, foreignNamespace: foreign_namespace ?? undefined },
    ]),
  );
}
