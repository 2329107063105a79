import { describeOnEachDatabase } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { Client } from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Database } from "../src/index.ts";
import { lockWriters, migrate, openDatabase } from "../src/index.ts";
import { directoryOf } from "./support/directory-of.ts";

const create = "create table item (id text primary key, title text);";

/** Collects the reasons that a waiting migration reports; `waits` resolves with the first. */
function createWaiting() {
  const reasons: string[] = [];
  const first = Promise.withResolvers<void>();
  const onWait = (reason: string) => {
    reasons.push(reason);
    first.resolve();
  };
  return { reasons, onWait, waits: first.promise };
}

/** Another program's connection, in a transaction. */
async function beginConcurrently(database: TestDatabase): Promise<Client> {
  const client = new Client({ connectionString: database.options().url });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  return client;
}

describeOnEachDatabase(
  "migrate, concurrently with other programs",
  (database) => {
    let db: Database;
    beforeAll(async () => {
      // Shorter than the waits below: a migration waits regardless of the session's limits.
      db = await openDatabase({ ...database.options(), statementTimeoutMs: 100 });
    });
    afterAll(() => db.close());

    const isValid = async (index: string) =>
      await db.readOne("select indisvalid as valid from pg_index where indexrelid = $1::regclass", [
        index,
      ]);

    it("waits for another migrator, and reports it", async () => {
      const schema = "waiting";
      const other = await beginConcurrently(database);
      await other.query("select pg_advisory_xact_lock(hashtextextended('migrations:waiting', 0))");
      const { reasons, onWait, waits } = createWaiting();
      const directory = await directoryOf({ "0001_create.sql": create });
      const migration = migrate(db, { schema, directory }, { onWait });
      await waits;
      await other.query("commit");
      expect((await migration).applied).toEqual(["0001_create"]);
      expect(reasons).toEqual(["another migrator"]);
    });

    it("counts the rows of a writer that had not committed when it began", async () => {
      const schema = "counting";
      const directory = await directoryOf({ "0001_create.sql": create });
      await migrate(db, { schema, directory });
      const { reasons, onWait, waits } = createWaiting();
      const counting = await directoryOf({
        "0001_create.sql": create,
        "0002_count.sql": `
          create table item_count (count int8 not null);
          insert into item_count select count(*) from item;
          create function count_items() returns trigger language plpgsql as $$
          begin
            update counting.item_count set count = count + (select count(*) from changed);
            return null;
          end
          $$;
          create trigger count_items after insert on item
            referencing new table as changed for each statement execute function count_items();`,
      });
      const add =
        "insert into counting.item select gen_random_uuid() from generate_series(1, 1000)";
      const written = Promise.withResolvers<void>();
      const commit = Promise.withResolvers<void>();
      const writer = db.transaction(async (tx) => {
        await lockWriters(tx, schema);
        await tx.write(add);
        written.resolve();
        await commit.promise;
      });
      await written.promise;
      const migration = migrate(db, { schema, directory: counting }, { onWait });
      await waits;
      const queued = db.transaction(async (tx) => {
        await tx.script("set local statement_timeout = 0");
        await lockWriters(tx, schema);
        await tx.write(add);
      });
      commit.resolve();
      await Promise.all([writer, migration, queued]);
      expect(reasons).toEqual(["a writer"]);
      expect(await db.read("select count from counting.item_count")).toEqual([{ count: 2000n }]);
    });

    it("does not block readers while it waits for a table that is in use", async () => {
      const schema = "in_use";
      const files = { "0001_create.sql": create };
      await migrate(db, { schema, directory: await directoryOf(files) });
      const reader = await beginConcurrently(database);
      await reader.query("select * from in_use.item");
      const { onWait, waits } = createWaiting();
      const more = { ...files, "0002_extend.sql": "alter table item add column seller text;" };
      const directory = await directoryOf(more);
      const migration = migrate(db, { schema, directory }, { onWait });
      await waits;
      const another = await beginConcurrently(database);
      await another.query("select * from in_use.item");
      await another.query("commit");
      await reader.query("commit");
      expect((await migration).applied).toEqual(["0002_extend"]);
    });

    const index = `-- no transaction
create unique index concurrently item_by_title on SCHEMA.item (title);`;

    it("builds an index concurrently with writers, by one of two migrators", async () => {
      const schema = "building";
      const files = { "0001_create.sql": create };
      await migrate(db, { schema, directory: await directoryOf(files) });
      const writer = await beginConcurrently(database);
      await writer.query("insert into building.item values ('a', 'a')");
      const more = { ...files, "0002_index.sql": index.replace("SCHEMA", schema) };
      const directory = await directoryOf(more);
      const second = await openDatabase(database.options());
      onTestFinished(() => second.close());
      const { onWait, waits } = createWaiting();
      const migrations = [db, second].map((runner) =>
        migrate(runner, { schema, directory }, { onWait }),
      );
      // One of them builds, and waits for the writer's transaction to end.
      await waits;
      await db.write("insert into building.item values ('b', 'b')");
      await writer.query("commit");
      const outcomes = await Promise.all(migrations);
      expect(outcomes.flatMap(({ applied }) => applied)).toEqual(["0002_index"]);
      expect(await isValid("building.item_by_title")).toEqual({ valid: true });
    });

    it("rebuilds an index whose build was interrupted", async () => {
      const schema = "broken_off";
      const files = { "0001_create.sql": create };
      await migrate(db, { schema, directory: await directoryOf(files) });
      await db.write("insert into broken_off.item values ('a', 'same'), ('b', 'same')");
      const more = { ...files, "0002_index.sql": index.replace("SCHEMA", schema) };
      const directory = await directoryOf(more);
      await expect(migrate(db, { schema, directory })).rejects.toMatchObject({ code: "23505" });
      expect(await isValid("broken_off.item_by_title")).toEqual({ valid: false });
      await db.write("update broken_off.item set title = id");
      expect((await migrate(db, { schema, directory })).applied).toEqual(["0002_index"]);
      expect(await isValid("broken_off.item_by_title")).toEqual({ valid: true });
    });
  },
  ["postgres", "neon", "pgbouncer"],
);
