import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";

const root = join(import.meta.dirname, "../../..");
/** Tables that all services have, by the SQL file that defines them for a new one. */
const tablesOf = {
  "packages/change-feed/sql/log.sql": [
    "change_log",
    "change_log_other_days",
    "log_start",
    "log_follower",
  ],
  "packages/ingest/sql/records.sql": ["tombstone", "sighting", "sighting_start"],
  "packages/change-feed/sql/follower.sql": [
    "feed_cursor",
    "feed_lease",
    "quarantined_entry",
    "snapshot_progress",
  ],
} as const;
type SqlFile = keyof typeof tablesOf;

const recordFiles = [
  "packages/change-feed/sql/log.sql",
  "packages/ingest/sql/records.sql",
] as const;
const followerFiles = ["packages/change-feed/sql/follower.sql"] as const;
const services: readonly (readonly [service: string, files: readonly SqlFile[]])[] = [
  ["catalog", recordFiles],
  ["pricing", recordFiles],
  ["reviews", recordFiles],
  ["changelog", followerFiles],
  ["search", followerFiles],
];

let database: Database;
beforeAll(async () => {
  database = await openDatabase({ url: "pglite:memory:" });
  for (const [schema] of services) {
    await migrate(database, { schema, directory: join(root, "services", schema, "migrations") });
  }
  for (const file of [...recordFiles, ...followerFiles]) {
    const sql = await readFile(join(root, file), "utf8");
    await database.transaction((tx) =>
      tx.script(`create schema if not exists made; set local search_path to made; ${sql}`),
    );
  }
});
afterAll(() => database.close());

it.each(services)("%s has the same tables as a new service", async (schema, files) => {
  for (const table of files.flatMap((file) => tablesOf[file])) {
    expect(await shapeOf(schema, table)).toEqual(await shapeOf("made", table));
  }
});

/** The definition of a table, without the order of its columns and its schema. */
async function shapeOf(schema: string, table: string): Promise<unknown> {
  const shape = await database.readOne<{ shape: unknown }>(
    `select jsonb_build_object(
      'kind', relkind, 'options', reloptions, 'partitions', pg_get_partkeydef(oid),
      'columns', (
        select jsonb_agg(jsonb_build_object(
          'name', attname, 'type', format_type(atttypid, atttypmod), 'required', attnotnull,
          'identity', attidentity, 'collation', attcollation::regcollation::text,
          'default', pg_get_expr(adbin, adrelid)) order by attname)
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped),
      'constraints', (
        select jsonb_agg(pg_get_constraintdef(each.oid) order by pg_get_constraintdef(each.oid))
        from pg_constraint as each where conrelid = pg_class.oid),
      'indexes', (
        select jsonb_agg(pg_get_indexdef(indexrelid) order by indexrelid::regclass::text)
        from pg_index where indrelid = pg_class.oid),
      'triggers', (
        select jsonb_agg(pg_get_triggerdef(each.oid) order by tgname)
        from pg_trigger as each where tgrelid = pg_class.oid and not tgisinternal)
    ) as shape from pg_class where oid = $1::regclass`,
    [`${schema}.${table}`],
  );
  return JSON.parse(JSON.stringify(shape).replaceAll(`${schema}.`, ""));
}
