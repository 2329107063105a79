import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { departuresOf, isBefore } from "./migration-rules.ts";

const root = join(import.meta.dirname, "../../..");
const services = readdirSync(join(root, "services"));

/** How many migrations release 0.1.0 has: no replica of it ran beside an earlier one. */
const ofFirstRelease: Readonly<Record<string, number>> = {
  catalog: 5,
  changelog: 2,
  pricing: 3,
  reviews: 2,
  search: 5,
};

const { version: releaseBefore } = JSON.parse(
  readFileSync(join(root, "test/release-before.json"), "utf8"),
) as { version: string };

describe("migrations since release 0.1.0", () => {
  it.each(services)("leave intact what the release before reads, in %s", async (schema) => {
    const directory = join(root, "services", schema, "migrations");
    const files = readdirSync(directory).toSorted();
    expect(files.length).toBeGreaterThanOrEqual(ofFirstRelease[schema] ?? 0);
    for (const file of files.slice(ofFirstRelease[schema] ?? 0)) {
      const sql = readFileSync(join(directory, file), "utf8");
      expect({ file, departures: await departuresOf(sql, { schema, releaseBefore }) }).toEqual({
        file,
        departures: [],
      });
    }
  });
});

it("this version comes after the release before, also between releases, such as 0.3.1-dev.0", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
  };
  expect(isBefore(releaseBefore, version)).toBe(true);
});

describe("a migration", () => {
  const inCatalog = (sql: string) =>
    departuresOf(sql, { schema: "catalog", releaseBefore: "0.2.0" });

  it.each([
    "create table label (id text primary key); create unique index on catalog.label (id);",
    "create table label (id text); alter table catalog.label alter column id set not null;",
    "alter table offer add column label text, add column rank int not null default 0;",
    "-- no transaction\ncreate index concurrently offer_by_label on catalog.offer (label);",
    "insert into label select id from offer; update offer set label = title;",
    "create function count() returns int language sql as 'select 1';",
    "create trigger count after insert on offer execute function count();",
    "alter table offer alter column label set statistics 1000, set (fillfactor = 70);",
    "-- contract: no longer read since 0.2.0\nalter table offer drop column label;",
    "-- contract: no longer read since 0.1.9\ndrop table label;",
  ])("may expand, or contract what is not read: %s", async (sql) => {
    expect(await inCatalog(sql)).toEqual([]);
  });

  const partitioned = [
    "alter table log rename to log_before;",
    "create sequence log_number; alter table log_before alter column seq drop identity;",
    "create table log (like log_before including defaults) partition by range (at);",
    "alter table log alter column seq set default nextval('log_number');",
    "alter table log attach partition log_before for values from (minvalue) to (now());",
    "create table log_rest partition of log (primary key (seq)) default;",
  ];

  it("may put a table into a partitioned one of its name, and own its sequence", async () => {
    const owned = "alter sequence log_number owned by log.seq;";
    expect(await inCatalog([...partitioned, owned].join("\n"))).toEqual([]);
  });

  it.each([
    [
      "without its columns",
      partitioned.with(2, "create table log (seq int) partition by range (seq);"),
    ],
    [
      "without its defaults",
      partitioned.with(2, "create table log (like log_before) partition by range (at);"),
    ],
    ["without a number for new rows", partitioned.toSpliced(3, 1)],
    ["without the old rows", partitioned.toSpliced(4, 1)],
    ["without room for other rows", partitioned.toSpliced(5, 1)],
    ["with a new constraint", [...partitioned, "alter table log add check (seq > 5);"]],
    [
      "with another change of the old",
      [...partitioned, "alter table log_before drop column kind;"],
    ],
    ["and rename another table", [...partitioned, "alter table offer rename to offer_before;"]],
  ])("may not put a table into a partitioned one %s", async (_how, statements) => {
    expect(await inCatalog(statements.join("\n"))).not.toEqual([]);
  });

  it.each([
    "alter sequence offer_seq restart;",
    "drop table offer;",
    "drop index offer_by_label;",
    "truncate offer;",
    "delete from offer;",
    "alter table offer drop column label;",
    "alter table offer rename column label to name;",
    "alter table offer rename to good;",
    "alter table offer set schema other;",
    "alter table offer alter column rank type int8;",
    "alter table offer alter column label set not null;",
    "alter table offer alter column label drop not null;",
    "alter table offer alter column rank drop default;",
    "alter table offer add constraint ranked check (rank > 0);",
    "alter table offer add column label text not null;",
    "alter table offer add column label text unique;",
    "alter table offer add column label text check (label <> '');",
    "alter table offer add column next text references offer (id);",
    "create index offer_by_label on offer (label);",
    "create unique index concurrently offer_by_label on catalog.offer (label);",
    "create table other.offer (id text); drop table catalog.offer;",
    "create table other.offer (id text); alter table offer drop column label;",
    "create or replace function count() returns int language sql as 'select 2';",
    "create or replace view label as select 1;",
    "do $$ begin drop table offer; end $$;",
    "select 1; /* ' */ drop table offer; -- '",
    "drop table label;\n-- contract: no longer read since 0.2.0\n",
    "-- contract: no longer read since 0.2.1\nalter table offer drop column label;",
    "-- contract: no longer read since 0.10.0\ndrop table label;",
    "select '\n -- contract: no longer read since 0.1.0'; drop table label;",
  ])("may not remove or change what exists, or reject writes: %s", async (sql) => {
    expect(await inCatalog(sql)).not.toEqual([]);
  });
});
