import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { hostname } from "node:os";
import { memoryDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { searchService } from "../src/index.ts";
import { IndexConfiguration } from "../src/indexing/index-configuration.ts";

let database: Database;
beforeAll(async () => {
  database = await openDatabase(await memoryDatabase("schemas"));
  await migrate(database, searchService.migrations);
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.write(
    "truncate search.index_configuration, search.index_replica, search.feed_lease",
  );
});

const configurationOf = (signature: string, projectionVersion = 1) =>
  new IndexConfiguration({
    database,
    signature: async () => signature,
    projectionVersion,
    noteMs: 0,
  });

it("allows builds of the last requested configuration only, also after restarts", async () => {
  expect(await configurationOf("a").refresh()).toBe(true);
  const newer = configurationOf("b");
  expect(await newer.refresh()).toBe(true);
  expect(await configurationOf("a").refresh()).toBe(false);
  expect(await newer.refresh()).toBe(true);
});

it("allows a build of an older one at the start when no process with the newer one runs", async () => {
  await configurationOf("a").refresh();
  const newer = configurationOf("b");
  await newer.refresh();
  await newer.close();
  expect(await configurationOf("a").refresh()).toBe(true);
});

it("allows a running process to build an older one after two checks without the newer one", async () => {
  const older = configurationOf("a");
  const newer = configurationOf("b");
  await older.refresh();
  await newer.refresh();
  expect(await older.refresh()).toBe(false);
  await newer.close();
  expect(await older.refresh()).toBe(false);
  expect(await older.refresh()).toBe(true);
  expect(await configurationOf("b").refresh()).toBe(false);
});

it.each([
  ["has ended on this host", `${hostname()}/999999999/x`, 0, true],
  ["sent no heartbeat for a quarter of an hour", "elsewhere/1/x", 16, true],
  ["sent a heartbeat from another host", "elsewhere/1/x", 14, false],
])(
  "allows a build of an older one beside a process that %s: %4$s",
  async (_, replica, minutes, builds) => {
    await configurationOf("a").refresh();
    await configurationOf("b").refresh();
    await database.write(
      `update search.index_replica
      set replica = $1, seen_at = clock_timestamp() - make_interval(mins => $2)
      where signature = 'b'`,
      [replica, minutes],
    );
    expect(await configurationOf("a").refresh()).toBe(builds);
  },
);

it("lets an operator request an older one again", async () => {
  const older = configurationOf("a");
  await older.refresh();
  const newer = configurationOf("b");
  await newer.refresh();
  await older.claim();
  expect(await older.refresh()).toBe(true);
  expect(await newer.refresh()).toBe(false);
});

it("never allows a build with an older projection than that of the data", async () => {
  await database.write(
    "insert into search.feed_lease (feed, holder, version) values ('catalog', 'x', 3)",
  );
  const older = configurationOf("a", 2);
  await older.claim();
  expect(await older.refresh()).toBe(false);
  expect(await configurationOf("a", 3).refresh()).toBe(true);
});
