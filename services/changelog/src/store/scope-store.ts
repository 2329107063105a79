import type { Transaction } from "@storefront/database";
import type { SubjectState } from "../domain/subject-state.ts";

/** The state of a record before a write moved it. */
interface SubjectMove {
  readonly subject: bigint | undefined;
  /** Of the write, in the catalog's log. */
  readonly sequence: bigint;
  readonly before: SubjectState;
}

// A replayed feed moves records back and forth: only the first stored state is true.
const insert = {
  name: "changelog.storeMoves",
  text: `
    insert into changelog.subject_move (subject, sequence, before)
    select subject, sequence, before::jsonb
    from unnest($1::int8[], $2::int8[], $3::text[]) as move(subject, sequence, before)
    on conflict (subject, sequence) do nothing`,
};

const take = `
  with taken as (
    delete from changelog.subject_move where subject = any($1::int8[]) and sequence >= $2
    returning subject, sequence, before
  )
  select distinct on (subject) subject, before from taken order by subject, sequence`;

/** Stores the earlier states of records, so that the writes can be undone. */
export async function storeMoves(tx: Transaction, moves: readonly SubjectMove[]): Promise<void> {
  if (moves.length === 0) return;
  await tx.write(insert, [
    moves.map(({ subject }) => subject),
    moves.map(({ sequence }) => sequence),
    moves.map(({ before }) => JSON.stringify(before)),
  ]);
}

/** Deletes the moves of these records from a write on; returns the states before them, by record. */
export async function takeMovesFrom(
  tx: Transaction,
  subjects: readonly bigint[],
  sequence: bigint,
): Promise<Map<bigint, SubjectState>> {
  const { rows } = await tx.write<{ subject: bigint; before: Partial<SubjectState> }>(take, [
    subjects,
    sequence,
  ]);
  return new Map(rows.map(({ subject, before }) => [subject, stateOf(before)]));
}

/** JSON leaves out unknown members. */
function stateOf({
  namespace,
  app,
  itemId,
  releaseApps = [],
  isObserved = false,
}: Partial<SubjectState>): SubjectState {
  return { namespace, app, itemId, releaseApps, isObserved };
}

const createScopes = `
  insert into changelog.scope (kind, key)
  select distinct kind, key from changelog.present_scope where subject = any($1::int8[])
  on conflict (kind, key) do nothing`;

// All parts see the state before the statement; removed and added rows are disjoint.
const moveEntries = `
  with wanted as materialized (
    select present.subject, scope.id as scope
    from changelog.present_scope as present
    join changelog.scope on scope.kind = present.kind and scope.key = present.key
    where present.subject = any($1::int8[])
  ), left_scopes as (
    delete from changelog.subject_scope as stored
    where stored.subject = any($1::int8[]) and not exists (
      select from wanted where wanted.subject = stored.subject and wanted.scope = stored.scope)
    returning stored.subject, stored.scope
  ), left_entries as (
    delete from changelog.scope_entry as listed
    using left_scopes, changelog.entry
    where entry.subject = left_scopes.subject and listed.scope = left_scopes.scope
      and listed.observed_at = entry.observed_at and listed.id = entry.id
    returning listed.scope
  ), entered_scopes as (
    insert into changelog.subject_scope (subject, scope)
    select subject, scope from wanted
    where not exists (
      select from changelog.subject_scope as stored
      where stored.subject = wanted.subject and stored.scope = wanted.scope)
    returning subject, scope
  ), entered_entries as (
    insert into changelog.scope_entry (scope, observed_at, id)
    select entered_scopes.scope, entry.observed_at, entry.id
    from entered_scopes join changelog.entry on entry.subject = entered_scopes.subject
    returning scope
  )
  update changelog.scope set entries = scope.entries + moved.difference
  from (
    select scope, sum(difference)::int8 as difference
    from (
      select scope, -1 as difference from left_entries
      union all
      select scope, 1 from entered_entries
    ) as each
    group by scope
  ) as moved
  where scope.id = moved.scope`;

const listEntries = {
  name: "changelog.listNewEntries",
  isPlannedEachTime: true,
  text: `
    with added as materialized (
      select id, observed_at, context_type, subject from changelog.entry where position > $1
    ), listed as (
      insert into changelog.scope_entry (scope, observed_at, id)
      select subject_scope.scope, added.observed_at, added.id
      from added join changelog.subject_scope on subject_scope.subject = added.subject
      returning scope
    ), counted as (
      update changelog.scope set entries = scope.entries + more.entries
      from (select scope, count(*) as entries from listed group by scope) as more
      where scope.id = more.scope
    )
    insert into changelog.scope (kind, key, entries)
    select 'type', context_type, count(*) from added group by context_type
    union all
    select 'all', '', count(*) from added having count(*) > 0
    on conflict (kind, key) do update set entries = scope.entries + excluded.entries`,
};

/** Moves the stored entries of these records to their present lists. */
export async function moveSubjects(tx: Transaction, subjects: readonly bigint[]): Promise<void> {
  if (subjects.length === 0) return;
  await tx.write(createScopes, [subjects]);
  await tx.write(moveEntries, [subjects]);
}

/** Adds the entries after a position to the lists of their records, and counts them. */
export async function listEntriesAfter(tx: Transaction, position: bigint): Promise<void> {
  await tx.write(listEntries, [position]);
}
