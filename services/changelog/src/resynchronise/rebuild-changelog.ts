import { beginningOfLog, reconcileWithSnapshot } from "@storefront/change-feed";
import type { LogPosition, Resynchronisation } from "@storefront/change-feed";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction, Queryable } from "@storefront/database";
import { entryOfFeed, storeMissingEntries } from "../apply-catalog-feed.ts";
import { observedTypes, refText, subjectOf } from "../domain/subject-state.ts";
import { lockEntries, storeEntries } from "../store/entry-writer.ts";
import type { NewEntry } from "../store/entry-writer.ts";
import { observedKeys } from "../store/observed-keys.ts";
import { findLoggedNamespaces, newestSnapshotPlace } from "../store/own-entry-store.ts";
import { loadSubjects } from "../store/subject-store.ts";
import { readLog } from "./catalog-log.ts";
import { resynchroniseChangelog } from "./resynchronise-changelog.ts";

/**
 * Rebuilds the changelog from the catalog's log, as far back as that reaches: missing entries, the states of their
 * records, and every list and count. Existing entries do not change. An aborted rebuild can be repeated: each step
 * makes progress.
 *
 * @returns the position from which to follow the log.
 */
export async function rebuildChangelog(
  database: Database,
  at: Resynchronisation,
): Promise<LogPosition> {
  // First, because the following steps assume that entries are in the lists where they should be.
  await recountLists(database, at);
  const position = await resynchroniseChangelog(database, at);
  await restoreEntries(database, at, position);
  await reconcileWithSnapshot(at, {
    kinds: observedTypes,
    reconcile: placeRecords,
    storedKeys: observedKeys,
  });
  return position;
}

async function recountLists(database: Database, at: Resynchronisation): Promise<void> {
  await at.transaction(async (tx) => {
    await lockEntries(tx);
    await createMissingScopes(tx);
  });
  for await (const scopes of scopePages(database)) {
    at.signal.throwIfAborted();
    await at.transaction(async (tx) => {
      await lockEntries(tx);
      await recountScopes(tx, scopes);
    });
  }
  await at.transaction(async (tx) => {
    await lockEntries(tx);
    await recountAll(tx);
  });
}

/** Stores the present namespaces of records, and of deleted ones the last namespaces in their entries. */
async function placeRecords(tx: Transaction, records: readonly FeedEntry[]): Promise<void> {
  await lockEntries(tx);
  const gone = records.filter(({ record }) => record === undefined);
  const subjects = await loadSubjects(tx, gone.map(subjectOf));
  const logged = await findLoggedNamespaces(
    tx,
    [...subjects.values()].map(({ id }) => id),
  );
  const namespaceOf = (write: FeedEntry) => {
    const subject = subjects.get(refText(subjectOf(write)));
    return write.namespace || ((subject && logged.get(subject.id)) ?? "");
  };
  const sightings = records.map((record): NewEntry => {
    const write = { ...record, namespace: namespaceOf(record), changes: [] };
    // A move without a write is not undone.
    return { ...entryOfFeed(write), write: undefined };
  });
  await storeEntries(tx, sightings);
}

/**
 * Stores the missing entries of writes, as far back as the catalog's log reaches: at the end of the changelog, so that
 * its followers get them. The newest snapshot has entries for the writes before it.
 *
 * @param through the last write to check
 */
async function restoreEntries(
  database: Database,
  at: Resynchronisation,
  through: LogPosition,
): Promise<void> {
  const { oldestSequence } = await at.client.describeLog({}, { signal: at.signal });
  if (oldestSequence === 0n) return;
  const beginning = { ...beginningOfLog, sequence: oldestSequence - 1n };
  const newest = await newestSnapshotPlace(database);
  const after = newest !== undefined && newest.sequence > beginning.sequence ? newest : beginning;
  for await (const writes of readLog(at, after, through.sequence)) {
    await at.transaction((tx) => restore(tx, at.feed, writes));
  }
}

async function restore(tx: Transaction, feed: string, writes: readonly FeedEntry[]): Promise<void> {
  const rows = await tx.read<{ sequence: bigint }>(
    "select sequence from changelog.quarantined_entry where feed = $1 and sequence = any($2::int8[])",
    [feed, writes.map(({ sequence }) => sequence)],
  );
  const quarantined = new Set(rows.map(({ sequence }) => sequence));
  await storeMissingEntries(
    tx,
    writes.filter(({ sequence }) => !quarantined.has(sequence)),
  );
}

/**
 * Approximate numbers of lists, and of entries in them, per transaction: writers wait for it, and on PGlite readers
 * too. Each transaction reads the states of all records, so that many short lists share one.
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

// Writes only differences. EXCEPT finds the rows to delete, which is fast also without statistics.
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

/** Creates the missing lists of records. */
async function createMissingScopes(tx: Transaction): Promise<void> {
  await tx.write(createScopes);
}

/** The lists of sandboxes and items, in pages that are recounted in one transaction each. */
async function* scopePages(queryable: Queryable): AsyncGenerator<bigint[]> {
  for (let after = 0n; ;) {
    const rows = await queryable.read<{ id: bigint }>(page, [after]);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** Corrects these lists and their lengths by entries and the states of their records. */
async function recountScopes(tx: Transaction, scopes: readonly bigint[]): Promise<void> {
  await tx.write(recount, [scopes]);
}

/** Counts the entries of each type, and all of them. */
async function recountAll(tx: Transaction): Promise<void> {
  await tx.write(recountTotals);
}
