import type { Database, Queryable } from "@storefront/database";

/** What a rebuild restores, in an order independent of when entries were stored. */
const stateStatements = [
  "select id, observed_at, subject, entry from changelog.entry order by id",
  "select kind, key, entries from changelog.scope where entries > 0 order by kind, key",
  `select kind, key, scope_entry.id from changelog.scope_entry
    join changelog.scope on scope.id = scope_entry.scope order by kind, key, scope_entry.id`,
  `select type, key, namespace, app, item_id, is_observed, array(
      select app from changelog.item_app where item = subject.id order by app
    ) as release_apps, array(
      select kind || ' ' || scope.key from changelog.subject_scope
      join changelog.scope on scope.id = subject_scope.scope
      where subject_scope.subject = subject.id order by 1
    ) as scopes
    from changelog.subject order by type, key`,
];

/** The state of a changelog, for comparisons before and after. */
export async function rebuiltState(queryable: Queryable): Promise<unknown[][]> {
  const state: unknown[][] = [];
  for (const statement of stateStatements) state.push(await queryable.read(statement));
  return state;
}

/** Deletes a third of the catalog's entries, corrupts lists and lengths, and moves records to wrong namespaces. */
export async function corrupt(database: Database): Promise<void> {
  await database.transaction((tx) =>
    tx.script(`
      delete from changelog.entry where position % 3 = 0 and id like 'catalog-%';
      delete from changelog.scope_entry where scope % 2 = 0;
      insert into changelog.scope_entry (scope, observed_at, id)
        select id, timestamptz '2020-01-01', 'no entry' from changelog.scope where kind = 'sandbox'
        on conflict do nothing;
      delete from changelog.subject_scope where subject % 2 = 0;
      insert into changelog.scope (kind, key, entries) values ('sandbox', 'none', 7), ('type', 'none', 7)
        on conflict (kind, key) do nothing;
      update changelog.scope set entries = entries + 5;
      delete from changelog.item_app using catalog.item, changelog.subject
        where subject.id = item_app.item and subject.type = 'item' and subject.key = item.id;
      update changelog.subject set namespace = 'wrong' where type <> 'build' and is_observed`),
  );
}
