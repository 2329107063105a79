import { ingestToken, silentLogger } from "@storefront/service-process/testing";
import { migrate } from "@storefront/database";
import type { Database, Queryable } from "@storefront/database";
import { createTransport } from "@storefront/rpc";
import { vi } from "vitest";
import { changelogService, createChangelogService } from "../../src/changelog-service.ts";

/** Everything that the changelog stores, except its own numbers and times. */
const stateStatements = [
  "select id, observed_at, latest_observed_at, entry from changelog.entry order by position",
  "select kind, key, entries from changelog.scope where entries > 0 order by kind, key",
  `select kind, key, scope_entry.id from changelog.scope_entry
    join changelog.scope on scope.id = scope_entry.scope
    order by kind, key, observed_at desc, scope_entry.id`,
  `select type, key, namespace, app, item_id, is_observed, array(
      select app from changelog.item_app where item = subject.id order by app
    ) as release_apps
    from changelog.subject order by type, key`,
  "select feed, sequence from changelog.feed_cursor",
];

/** The state of a changelog, for comparisons with others. */
export async function stateOf(queryable: Queryable): Promise<unknown[][]> {
  const state: unknown[][] = [];
  for (const statement of stateStatements) state.push(await queryable.read(statement));
  return state;
}

/**
 * Whether the changelog is at the end of the catalog's present log, not at the same sequence of a lost history.
 */
export async function isAtTheEnd(queryable: Queryable): Promise<boolean> {
  const newest = await queryable.readOne<{ sequence: bigint }>(
    `select coalesce(max(seq), 0)::int8 as sequence from catalog.change_log
      where kind in ('offer', 'item', 'asset', 'build', 'sandbox')`,
  );
  const cursor = await queryable.readOne<{ sequence: bigint; identity: string | null; us: bigint }>(
    `select cursor.sequence, cursor.identity,
        (extract(epoch from logged.committed_at) * 1000000)::int8 as us
      from changelog.feed_cursor as cursor
      join catalog.change_log as logged on logged.seq = cursor.sequence`,
  );
  if (newest === undefined || cursor === undefined) return false;
  return cursor.sequence >= newest.sequence && cursor.identity === cursor.us.toString(36);
}

/** Starts a changelog, which reads a catalog's log to the end. */
export async function followToTheEnd(database: Database, baseUrl: string): Promise<void> {
  const catalog = createTransport({ baseUrl });
  const service = createChangelogService({
    database,
    logger: silentLogger,
    ingestTokens: [ingestToken],
    transportTo: () => catalog,
  });
  service.start();
  await vi.waitUntil(() => isAtTheEnd(database), { timeout: 60_000, interval: 20 });
  await service.close();
  await catalog.close();
}

/** Replaces the changelog by one that reads a catalog's log from its beginning; returns its state. */
export async function stateFromNothing(database: Database, baseUrl: string): Promise<unknown[][]> {
  await database.transaction((tx) => tx.script("drop schema changelog cascade"));
  await migrate(database, changelogService.migrations);
  await followToTheEnd(database, baseUrl);
  return await stateOf(database);
}
