import type { Queryable, Transaction } from "@storefront/database";

/**
 * Lists of one transaction, and entries in them, about: writers wait for it, and on PGlite readers too. Each reads
 * the places of all records, so that many short lists go together.
 */
const pageScopes = 2_000;
const pageEntries = 20_000;

const createScopes = `
  insert into changelog.scope (kind, key)
  select distinct kind, key from changelog.present_scope
  on conflict (kind, key) do nothing`;

const page = `
  select id from (
    select id, sum(entries) over (order by id) - entries as entries_before
    from changelog.scope where id > $1 and kind in ('sandbox', 'item') order by id limit ${pageScopes}
  ) as candidate
  where entries_before < ${pageEntries} order by id`;

// Only what differs is written. What leaves is found by EXCEPT, which is fast also without statistics.
const recount = `
  with wanted as materialized (
    select present.subject, scope.id as scope
    from changelog.scope
    join changelog.present_scope as present on present.kind = scope.kind and present.key = scope.key
    where scope.id = any($1::int8[])
  ), listed as materialized (
    select wanted.scope, entry.observed_at, entry.id
    from wanted join changelog.entry on entry.subject = wanted.subject
  ), left_scopes as (
    delete from changelog.subject_scope as stored using (
      select subject, scope from changelog.subject_scope where scope = any($1::int8[])
      except select subject, scope from wanted
    ) as other
    where stored.subject = other.subject and stored.scope = other.scope
  ), entered_scopes as (
    insert into changelog.subject_scope (subject, scope)
    select subject, scope from wanted
    on conflict (subject, scope) do nothing
  ), left_entries as (
    delete from changelog.scope_entry as stored using (
      select scope, observed_at, id from changelog.scope_entry where scope = any($1::int8[])
      except select scope, observed_at, id from listed
    ) as other
    where stored.scope = other.scope and stored.observed_at = other.observed_at
      and stored.id = other.id
  ), entered_entries as (
    insert into changelog.scope_entry (scope, observed_at, id)
    select scope, observed_at, id from listed
    on conflict (scope, observed_at, id) do nothing
  )
  update changelog.scope set entries = counted.entries
  from (
    select given.id, count(listed.id) as entries
    from unnest($1::int8[]) as given (id) left join listed on listed.scope = given.id
    group by given.id
  ) as counted
  where scope.id = counted.id and scope.entries <> counted.entries`;

const recountTotals = `
  with counted as materialized (
    select 'type' as kind, context_type as key, count(*) as entries
    from changelog.entry group by context_type
    union all
    select 'all', '', count(*) from changelog.entry having count(*) > 0
  ), stored as (
    insert into changelog.scope (kind, key, entries)
    select kind, key, entries from counted
    on conflict (kind, key) do update set entries = excluded.entries
  )
  update changelog.scope set entries = 0
  where kind in ('type', 'all') and not exists (
    select from counted where counted.kind = scope.kind and counted.key = scope.key)`;

/** Creates the lists that records belong into and that are not there. */
export async function createMissingScopes(tx: Transaction): Promise<void> {
  await tx.write(createScopes);
}

/** The lists of sandboxes and items, in pages that are recounted in one transaction each. */
export async function* scopePages(queryable: Queryable): AsyncGenerator<bigint[]> {
  for (let after = 0n; ;) {
    const rows = await queryable.read<{ id: bigint }>(page, [after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** Makes these lists and their lengths what entries and the places of their records say. */
export async function recountScopes(tx: Transaction, scopes: readonly bigint[]): Promise<void> {
  await tx.write(recount, [scopes]);
}

/** Counts the entries of each type, and all of them. */
export async function recountAll(tx: Transaction): Promise<void> {
  await tx.write(recountTotals);
}
