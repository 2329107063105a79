import { describeOnEachDatabase } from "@storefront/testkit";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { migrate, migrationCheck, openDatabase } from "../src/index.ts";
import { directoryOf } from "./support/directory-of.ts";

const create = "create table offer (id text primary key);";
const extend = "alter table offer add column title text;";
const extendMore = "alter table offer add column seller text;";

function createLog() {
  const lines: object[] = [];
  return { lines, logger: { info: (details: object) => lines.push(details) } };
}

describeOnEachDatabase("the readiness check of a service", (database) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase(database.options());
  });
  afterAll(() => db.close());

  it("rejects until the service's own migrations are applied, and names the missing ones", async () => {
    const schema = "own";
    const both = { "0001_create.sql": create, "0002_extend.sql": extend };
    const directory = await directoryOf(both);
    const check = migrationCheck(db, { schema, directory }, createLog().logger);
    await expect(check()).rejects.toThrow("0001_create, 0002_extend");
    const first = await directoryOf({ "0001_create.sql": create });
    await migrate(db, { schema, directory: first });
    await expect(check()).rejects.toThrow(/: 0002_extend$/);
    await migrate(db, { schema, directory });
    await expect(check()).resolves.toBeUndefined();
  });

  it("stays ready when a newer version migrates, and logs that once", async () => {
    const schema = "newer";
    const source = { schema, directory: await directoryOf({ "0001_create.sql": create }) };
    const { lines, logger } = createLog();
    const check = migrationCheck(db, source, logger);
    await migrate(db, source);
    await check();
    expect(lines).toEqual([]);
    const newer = { "0001_create.sql": create, "0002_extend.sql": extend };
    const directory = await directoryOf(newer);
    await migrate(db, { schema, directory });
    await check();
    await check();
    expect(lines).toEqual([{ schema, newer: ["0002_extend"] }]);
    await writeFile(join(directory, "0003_extend_more.sql"), extendMore);
    await migrate(db, { schema, directory });
    await check();
    await check();
    expect(lines).toHaveLength(2);
  });

  it("rejects when an own migration was edited, also with newer ones applied", async () => {
    const schema = "edited";
    const newer = { "0001_create.sql": create, "0002_extend.sql": extend };
    await migrate(db, { schema, directory: await directoryOf(newer) });
    const directory = await directoryOf({ "0001_create.sql": `${create} -- edited` });
    const check = migrationCheck(db, { schema, directory }, createLog().logger);
    await expect(check()).rejects.toMatchObject({ code: "MIGRATION_CHANGED" });
  });

  it("detects a restored database, without reading its files again", async () => {
    const schema = "restored";
    const both = { "0001_create.sql": create, "0002_extend.sql": extend };
    const directory = await directoryOf(both);
    await migrate(db, { schema, directory });
    const check = migrationCheck(db, { schema, directory }, createLog().logger);
    await check();
    await rm(directory, { recursive: true });
    await db.write("delete from restored.migration where name = '0002_extend'");
    await expect(check()).rejects.toThrow("0002_extend");
    await db.write("drop schema restored cascade");
    await expect(check()).rejects.toThrow("0001_create, 0002_extend");
  });
});
