import { fromBinary } from "@bufbuild/protobuf";
import { FeedEntrySchema } from "@storefront/contracts/feed/v1/feed_service";
import type { Database } from "@storefront/database";
import type { FleetDatabases } from "./fleet-databases.ts";

/** Most differences reported; one fault often causes hundreds. */
const differencesMax = 5;

/** Kinds that the changelog covers. */
const observedKinds = ["offer", "item", "asset", "build", "sandbox"];

/** Rows of a query as text, in its order. */
type Rows = readonly string[];

/**
 * Differences between the followers and their owners, record by record: the changelog from the catalog's
 * log, the search from the records of catalog and pricing and from the changelog. Empty when nothing
 * is lost, duplicated or out of order.
 */
export async function differencesFromOwners(databases: FleetDatabases): Promise<string[]> {
  const expectedEntries = await databases.using("catalog", loggedEntries);
  const entries = await databases.using("changelog", (database) =>
    rows(database, "select id from changelog.entry order by position"),
  );
  const records = await databases.using("catalog", (database) =>
    rows(
      database,
      `select 'offer', id from catalog.offer union all select 'item', id from catalog.item
       union all select 'build', id from catalog.build order by 1, 2`,
    ),
  );
  const prices = await databases.using("pricing", (database) =>
    rows(
      database,
      `select offer_id, string_agg(region, ',' order by region) from pricing.price
       group by offer_id order by offer_id`,
    ),
  );
  const search = await databases.using("search", async (database) => ({
    entries: await rows(database, `select id from search.source_entry order by id`),
    records: await rows(
      database,
      `select 'offer', id from search.source_offer union all select 'item', id from search.source_item
       union all select 'build', id from search.source_build order by 1, 2`,
    ),
    prices: await rows(
      database,
      `select offer_id, string_agg(region, ',' order by region)
       from search.price join search.offer_number using (number)
       where original is not null group by offer_id order by offer_id`,
    ),
  }));
  return [
    ...differences("the changelog's entries", expectedEntries, entries),
    ...differences("the search's entries", entries.toSorted(), search.entries),
    ...differences("the search's records", records, search.records),
    ...differences("the search's prices", prices, search.prices),
  ];
}

/**
 * Differences between a follower's tables and those of one that has followed undisturbed from the
 * beginning. Entries retain the words of deleted records, so once a restore has undone records
 * (`hasUndone`) their words are not compared.
 */
export async function differencesFromUndisturbed(
  disturbed: FleetDatabases,
  undisturbed: FleetDatabases,
  hasUndone: boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (const [name, { service, sql }] of Object.entries(projections)) {
    if (hasUndone && name === "the words of the index's entries") continue;
    const [expected = [], actual = []] = await Promise.all(
      [undisturbed, disturbed].map((databases) =>
        databases.using(service, async (database) =>
          rows(database, await ofLiveIndex(sql, database)),
        ),
      ),
    );
    found.push(...differences(name, expected, actual));
  }
  return found;
}

/** Replaces `live_index` in a statement with the live index's tables; without an index there are no rows. */
async function ofLiveIndex(sql: string, database: Database): Promise<string> {
  if (!sql.includes("live_index")) return sql;
  const live = await database.readOne<{ generation: number }>(
    "select generation from search.live_generation",
  );
  if (live === undefined) return "select where false";
  return sql.replace("live_index", `search.g${live.generation}`);
}

const termsOf = (column: string) => `array(
  select kind || ' ' || value from search.term where number = any(${column}) order by kind, value)`;

const projections = {
  "the changelog's entries": {
    service: "changelog",
    sql: `select id, md5(entry) from changelog.entry order by id`,
  },
  "the changelog's lists": {
    service: "changelog",
    sql: `select kind, key, entry.id from changelog.scope
          join changelog.scope_entry as entry on entry.scope = scope.id order by 1, 2, 3`,
  },
  "the lengths of the changelog's lists": {
    service: "changelog",
    sql: `select kind, key, entries from changelog.scope where entries > 0 order by 1, 2`,
  },
  "the changelog's subjects": {
    service: "changelog",
    sql: `select type, key, namespace, app, item_id, is_observed,
          array(select app from changelog.item_app where item = subject.id order by app)
          from changelog.subject order by type, key`,
  },
  "the search's offers": {
    service: "search",
    sql: `select id, namespace, item_ids, technologies, md5(record) from search.source_offer order by id`,
  },
  "the search's items": {
    service: "search",
    sql: `select id, namespace, is_executable, app_ids from search.source_item order by id`,
  },
  "the search's builds": {
    service: "search",
    sql: `select id, app_name, updated_at_ms, technologies from search.source_build order by id`,
  },
  "the search's giveaways": {
    service: "search",
    sql: `select id, offer_id, start_ms, end_ms from search.source_giveaway order by id`,
  },
  "the search's prices": {
    service: "search",
    sql: `select offer_id, to_jsonb(price) - 'number' from search.price join search.offer_number using (number)
          where lowest is not null order by offer_id, region`,
  },
  "the index's offers": {
    service: "search",
    sql: `select offer_id, ${termsOf("terms")}, ${termsOf("facets")}, release_date, last_modified_date
          from live_index_offer order by offer_id`,
  },
  "the index's words": {
    service: "search",
    sql: `select offer_id, title_key, words::text
          from live_index_text join search.offer_number using (number) order by offer_id`,
  },
  "the index's entries": {
    service: "search",
    sql: `select entry_id, timestamp_ms, context_type, context_id from live_index_entry order by entry_id`,
  },
  "the words of the index's entries about offers that are there": {
    service: "search",
    sql: `select entry_id, words::text from live_index_entry
          where context_type = 'offer' and context_id in (select id from search.source_offer)
          order by entry_id`,
  },
  "the words of the index's entries": {
    service: "search",
    sql: `select entry_id, words::text from live_index_entry order by entry_id`,
  },
} as const;

async function loggedEntries(database: Database): Promise<Rows> {
  const logged = await database.read<{ seq: bigint; micros: bigint; entry: Uint8Array }>(
    `select seq, (extract(epoch from committed_at) * 1000000)::int8 as micros, entry
     from catalog.change_log where kind = any($1) order by seq`,
    [observedKinds],
  );
  return logged
    .filter(({ entry }) => fromBinary(FeedEntrySchema, entry).changes.length > 0)
    .map(({ seq, micros }) =>
      JSON.stringify([`catalog-${seq.toString(16).padStart(13, "0")}-${micros.toString(36)}`]),
    );
}

async function rows(database: Database, sql: string): Promise<Rows> {
  const found = await database.read<Record<string, unknown>>(sql);
  return found.map((row) => JSON.stringify(Object.values(row).map(textOf)));
}

function textOf(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

function differences(what: string, expected: Rows, actual: Rows): string[] {
  if (JSON.stringify(expected) === JSON.stringify(actual)) return [];
  const wanted = new Set(expected);
  const got = new Set(actual);
  const missing = expected.filter((row) => !got.has(row)).slice(0, differencesMax);
  const surplus = actual.filter((row) => !wanted.has(row)).slice(0, differencesMax);
  return [
    `${what}: ${actual.length} instead of ${expected.length}` +
      `; missing ${missing.join(" ")}; too many ${surplus.join(" ")}`,
  ];
}
