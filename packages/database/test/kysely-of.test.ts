import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { kyselyOf, lockWriters, openDatabase } from "../src/index.ts";

interface Tables {
  "shop.entry": { id: bigint; tags: string[] };
}

describeOnEachDatabase("query builder and writer lock", (database) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase(database.options());
    await db.transaction((tx) =>
      tx.script(`create schema shop; create table shop.entry (id int8 primary key, tags text[]);
        create table shop.log (seq int8 primary key)`),
    );
  });
  afterAll(() => db.close());

  it("runs Kysely's queries on the database", async () => {
    const kysely = kyselyOf<Tables>(db);
    const inserted = await kysely
      .insertInto("shop.entry")
      .values({ id: 1n, tags: ["a"] })
      .executeTakeFirstOrThrow();
    expect(inserted.numInsertedOrUpdatedRows).toBe(1n);
    const read = kysely.selectFrom("shop.entry").select(["id", "tags"]).where("id", "=", 1n);
    expect(await read.execute()).toEqual([{ id: 1n, tags: ["a"] }]);
  });

  it("runs Kysely's queries inside of a transaction, and undoes them with it", async () => {
    const rollback = new Error("rollback");
    const transaction = db.transaction(async (tx) => {
      const kysely = kyselyOf<Tables>(tx);
      await kysely.insertInto("shop.entry").values({ id: 2n, tags: [] }).execute();
      const seen = await kysely
        .selectFrom("shop.entry")
        .select("id")
        .where("id", "=", 2n)
        .execute();
      expect(seen).toEqual([{ id: 2n }]);
      throw rollback;
    });
    await expect(transaction).rejects.toBe(rollback);
    const left = kyselyOf<Tables>(db).selectFrom("shop.entry").select("id").where("id", "=", 2n);
    expect(await left.execute()).toEqual([]);
  });

  it("refuses Kysely's own transactions", async () => {
    const transaction = kyselyOf<Tables>(db)
      .transaction()
      .execute(() => Promise.resolve());
    await expect(transaction).rejects.toThrow(Error);
  });

  it("lets one writer of a schema at a time read and extend a sequence", async () => {
    const append = () =>
      db.transaction(async (tx) => {
        await lockWriters(tx, "shop");
        await tx.write("insert into shop.log select coalesce(max(seq), 0) + 1 from shop.log");
      });
    await Promise.all(Array.from({ length: 20 }, append));
    const last = await db.readOne("select max(seq) as seq, count(*)::int4 as count from shop.log");
    expect(last).toEqual({ seq: 20n, count: 20 });
  });
});
