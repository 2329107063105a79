import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { bulkInsert, openDatabase } from "../src/index.ts";

const target = {
  table: "log.entry",
  columns: [
    { name: "name", type: "text" },
    { name: "key", type: "text[]" },
  ],
};

describeOnEachDatabase("bulk inserts", (database) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase(database.options());
    await db.transaction((tx) =>
      tx.script(`create schema log; create table log.entry (
        seq bigint generated always as identity primary key, name text unique, key text[])`),
    );
  });
  afterAll(() => db.close());

  it("number rows in the order given, none included", async () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => ({
      name: `n${(index * 7919) % 2_000}`,
      key: [`k${index}`, '"\\,'],
    }));
    await db.transaction(async (tx) => {
      expect(await bulkInsert(tx, target, rows)).toBe(2_000);
      expect(await bulkInsert(tx, target, [])).toBe(0);
    });
    expect(await db.read("select name, key from log.entry order by seq")).toEqual(rows);
  });

  it("fail as a whole when a key exists already", async () => {
    const rows = [{ name: "new" }, { name: "new" }];
    const insert = db.transaction((tx) => bulkInsert(tx, target, rows));
    await expect(insert).rejects.toMatchObject({ code: "23505" });
    expect(await db.read("select name from log.entry where name = 'new'")).toEqual([]);
  });
});
