import { describeOnEachDatabase } from "@storefront/testkit";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { Database } from "../src/index.ts";
import { migrate, openDatabase, pendingMigrations } from "../src/index.ts";

const create = "create table offer (id text primary key);\ncreate index on offer (id);\n";
const extend = "alter table offer add column title text; insert into offer values ('a', 'b');";

async function directoryOf(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "migrations-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  for (const [name, sql] of Object.entries(files)) await writeFile(join(directory, name), sql);
  return directory;
}

describeOnEachDatabase("migrate", (database) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase({ ...database.options(), statementTimeoutMs: 5_000 });
  });
  afterAll(() => db.close());

  it("creates the schema, applies files in order, and later only what is new", async () => {
    const schema = "in_order";
    const first = await directoryOf({ "0001_create.sql": create, "readme.md": "not SQL" });
    expect(await pendingMigrations(db, { schema, directory: first })).toEqual(["0001_create"]);
    expect(await migrate(db, { schema, directory: first })).toEqual(["0001_create"]);
    const both = await directoryOf({ "0002_extend.sql": extend, "0001_create.sql": create });
    expect(await pendingMigrations(db, { schema, directory: both })).toEqual(["0002_extend"]);
    const directory = pathToFileURL(`${both}/`);
    expect(await migrate(db, { schema, directory })).toEqual(["0002_extend"]);
    expect(await migrate(db, { schema, directory })).toEqual([]);
    expect(await db.read("select * from in_order.offer")).toEqual([{ id: "a", title: "b" }]);
  });

  it("leaves nothing of a migration that fails, and keeps those before it", async () => {
    const schema = "failing";
    const directory = await directoryOf({
      "0001_create.sql": create,
      "0002_broken.sql": "insert into offer values ('half'); select nonsense;",
    });
    const migration = migrate(db, { schema, directory });
    await expect(migration).rejects.toMatchObject({ code: "42703" });
    expect(await db.read("select * from failing.offer")).toEqual([]);
    expect(await pendingMigrations(db, { schema, directory })).toEqual(["0002_broken"]);
  });

  it("applies each migration once when several runners start together", async () => {
    const schema = "together";
    const directory = await directoryOf({ "0001_create.sql": create, "0002_extend.sql": extend });
    const others = await Promise.all([1, 2].map(() => openDatabase(database.options())));
    const applied = await Promise.all(
      [db, ...others].map((runner) => migrate(runner, { schema, directory })),
    );
    await Promise.all(others.map((other) => other.close()));
    expect(applied.flat().toSorted()).toEqual(["0001_create", "0002_extend"]);
  });

  it("keeps the migrations of schemas apart", async () => {
    const directory = await directoryOf({ "0001_create.sql": create });
    expect(await migrate(db, { schema: "one", directory })).toEqual(["0001_create"]);
    expect(await migrate(db, { schema: "two", directory })).toEqual(["0001_create"]);
  });

  it("refuses a database with migrations that the code does not know", async () => {
    const schema = "newer";
    const newer = await directoryOf({ "0001_create.sql": create, "0002_extend.sql": extend });
    await migrate(db, { schema, directory: newer });
    const source = { schema, directory: await directoryOf({ "0001_create.sql": create }) };
    await expect(migrate(db, source)).rejects.toMatchObject({ code: "MIGRATIONS_NEWER" });
    await expect(pendingMigrations(db, source)).rejects.toMatchObject({ code: "MIGRATIONS_NEWER" });
  });

  it("refuses a migration that was edited, but not other line ends", async () => {
    const schema = "edited";
    const directory = await directoryOf({ "0001_create.sql": create });
    await migrate(db, { schema, directory });
    await writeFile(join(directory, "0001_create.sql"), create.replaceAll("\n", "\r\n"));
    expect(await migrate(db, { schema, directory })).toEqual([]);
    await writeFile(join(directory, "0001_create.sql"), `${create} -- edited`);
    const migration = migrate(db, { schema, directory });
    await expect(migration).rejects.toMatchObject({ code: "MIGRATION_CHANGED" });
  });

  it("refuses file names without a number of their own", async () => {
    const schema = "names";
    const unnumbered = await directoryOf({ "create.sql": create });
    const twice = await directoryOf({ "0001_a.sql": create, "0001_b.sql": create });
    for (const directory of [unnumbered, twice]) {
      const migration = migrate(db, { schema, directory });
      await expect(migration).rejects.toMatchObject({ code: "MIGRATION_FILE_NAME" });
    }
  });
});
