import { describeOnEachDatabase } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { compareMigrations, migrate, openDatabase } from "../src/index.ts";
import { directoryOf } from "./support/directory-of.ts";

const create = "create table offer (id text primary key);\ncreate index on offer (id);\n";
const extend = "alter table offer add column title text; insert into offer values ('a', 'b');";

function applied(...names: string[]) {
  return { applied: names, newer: [] };
}

describeOnEachDatabase(
  "migrate",
  (database) => {
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase({ ...database.options(), statementTimeoutMs: 5_000 });
    });
    afterAll(() => db.close());

    it("creates the schema, applies files in order, and later only new ones", async () => {
      const schema = "in_order";
      const first = await directoryOf({ "0001_create.sql": create, "readme.md": "not SQL" });
      const pendingIn = async (directory: string) =>
        (await compareMigrations(db, { schema, directory })).pending;
      expect(await pendingIn(first)).toEqual(["0001_create"]);
      expect(await migrate(db, { schema, directory: first })).toEqual(applied("0001_create"));
      const both = await directoryOf({ "0002_extend.sql": extend, "0001_create.sql": create });
      expect(await pendingIn(both)).toEqual(["0002_extend"]);
      const directory = pathToFileURL(`${both}/`);
      expect(await migrate(db, { schema, directory })).toEqual(applied("0002_extend"));
      expect(await migrate(db, { schema, directory })).toEqual(applied());
      expect(await db.read("select * from in_order.offer")).toEqual([{ id: "a", title: "b" }]);
    });

    it("rolls back a migration that fails, and keeps those before it", async () => {
      const schema = "failing";
      const directory = await directoryOf({
        "0001_create.sql": create,
        "0002_broken.sql": "insert into offer values ('half'); select nonsense;",
      });
      const migration = migrate(db, { schema, directory });
      await expect(migration).rejects.toMatchObject({ code: "42703" });
      expect(await db.read("select * from failing.offer")).toEqual([]);
      const { pending } = await compareMigrations(db, { schema, directory });
      expect(pending).toEqual(["0002_broken"]);
    });

    it("applies each migration once when several runners start together", async () => {
      const schema = "together";
      const directory = await directoryOf({ "0001_create.sql": create, "0002_extend.sql": extend });
      const others = await Promise.all([1, 2].map(() => openDatabase(database.options())));
      const outcomes = await Promise.all(
        [db, ...others].map((runner) => migrate(runner, { schema, directory })),
      );
      await Promise.all(others.map((other) => other.close()));
      expect(outcomes.flatMap((outcome) => outcome.applied).toSorted()).toEqual([
        "0001_create",
        "0002_extend",
      ]);
    });

    it("separates the migrations of schemas", async () => {
      const directory = await directoryOf({ "0001_create.sql": create });
      expect(await migrate(db, { schema: "one", directory })).toEqual(applied("0001_create"));
      expect(await migrate(db, { schema: "two", directory })).toEqual(applied("0001_create"));
    });

    it("keeps migrations that a newer version applied, and reports them", async () => {
      const schema = "newer";
      const newer = await directoryOf({ "0001_create.sql": create, "0002_extend.sql": extend });
      await migrate(db, { schema, directory: newer });
      const source = { schema, directory: await directoryOf({ "0001_create.sql": create }) };
      expect(await migrate(db, source)).toEqual({ applied: [], newer: ["0002_extend"] });
      expect(await compareMigrations(db, source)).toEqual({ pending: [], newer: ["0002_extend"] });
    });

    it.each(["0001_other.sql", "0003_other.sql"])(
      "rejects a database of another history: without its migrations, but with a %s",
      async (file) => {
        const schema = `history_of_${file.slice(0, 4)}`;
        const directory = await directoryOf({ [file]: create });
        const other = { "0001_create.sql": create, "0003_extend.sql": extend };
        await migrate(db, { schema, directory });
        const source = { schema, directory: await directoryOf(other) };
        await expect(migrate(db, source)).rejects.toMatchObject({ code: "MIGRATION_UNKNOWN" });
        await expect(compareMigrations(db, source)).rejects.toMatchObject({
          code: "MIGRATION_UNKNOWN",
        });
      },
    );

    it("rejects an edited migration, but not other line ends", async () => {
      const schema = "edited";
      const directory = await directoryOf({ "0001_create.sql": create });
      await migrate(db, { schema, directory });
      await writeFile(join(directory, "0001_create.sql"), create.replaceAll("\n", "\r\n"));
      expect(await migrate(db, { schema, directory })).toEqual(applied());
      await writeFile(join(directory, "0001_create.sql"), `${create} -- edited`);
      const migration = migrate(db, { schema, directory });
      await expect(migration).rejects.toMatchObject({ code: "MIGRATION_CHANGED" });
    });

    it("rejects file names without a unique number", async () => {
      const schema = "names";
      const unnumbered = await directoryOf({ "create.sql": create });
      const twice = await directoryOf({ "0001_a.sql": create, "0001_b.sql": create });
      for (const directory of [unnumbered, twice]) {
        const migration = migrate(db, { schema, directory });
        await expect(migration).rejects.toMatchObject({ code: "MIGRATION_FILE_NAME" });
      }
    });

    it("allows an index that is built concurrently with readers and writers", async () => {
      const schema = "beside";
      const directory = await directoryOf({
        "0001_create.sql": create,
        "0002_index.sql": `-- no transaction
-- What it is for.
create index concurrently offer_by_length
  on beside.offer (length(id));
`,
      });
      const outcome = await migrate(db, { schema, directory });
      expect(outcome).toEqual(applied("0001_create", "0002_index"));
      expect(await db.read("select to_regclass('beside.offer_by_length')::text as index")).toEqual([
        { index: "beside.offer_by_length" },
      ]);
    });

    it.each([
      "create index concurrently if not exists i on s.t (id);",
      "create index concurrently i on t (id);",
      "create index concurrently on s.t (id);",
      "create index i on s.t (id);",
      "update s.t set id = id;",
    ])("rejects without a transaction: %s", async (statement) => {
      const directory = await directoryOf({
        "0001_index.sql": `-- no transaction\n${statement}\n`,
      });
      const migration = migrate(db, { schema: "s", directory });
      await expect(migration).rejects.toMatchObject({ code: "MIGRATION_FILE_FORM" });
    });
  },
  ["pglite", "postgres", "neon", "pgbouncer"],
);
