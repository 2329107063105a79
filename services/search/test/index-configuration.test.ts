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

const asking = (signature: string, projectionVersion = 1) =>
  new IndexConfiguration({
    database,
    signature: async () => signature,
    projectionVersion,
    noteMs: 0,
  });

it("lets those build that ask for what was asked for last, whoever restarts", async () => {
  expect(await asking("a").refresh()).toBe(true);
  const newer = asking("b");
  expect(await newer.refresh()).toBe(true);
  expect(await asking("a").refresh()).toBe(false);
  expect(await newer.refresh()).toBe(true);
});

it("lets an older one build when it starts and no process with the newer one runs", async () => {
  await asking("a").refresh();
  const newer = asking("b");
  await newer.refresh();
  await newer.close();
  expect(await asking("a").refresh()).toBe(true);
});

it("lets an older one that runs build once none with the newer one was there twice", async () => {
  const older = asking("a");
  const newer = asking("b");
  await older.refresh();
  await newer.refresh();
  expect(await older.refresh()).toBe(false);
  await newer.close();
  expect(await older.refresh()).toBe(false);
  expect(await older.refresh()).toBe(true);
  expect(await asking("b").refresh()).toBe(false);
});

it.each([
  ["is gone from this host", `${hostname()}/999999999/x`, 0, true],
  ["was not seen for a quarter of an hour", "elsewhere/1/x", 16, true],
  ["was seen on another host", "elsewhere/1/x", 14, false],
])(
  "builds for an older one beside a process that %s: %4$s",
  async (_, replica, minutes, builds) => {
    await asking("a").refresh();
    await asking("b").refresh();
    await database.write(
      `update search.index_replica
      set replica = $1, seen_at = clock_timestamp() - make_interval(mins => $2)
      where signature = 'b'`,
      [replica, minutes],
    );
    expect(await asking("a").refresh()).toBe(builds);
  },
);

it("lets an operator ask for an older one anew", async () => {
  const older = asking("a");
  await older.refresh();
  const newer = asking("b");
  await newer.refresh();
  await older.claim();
  expect(await older.refresh()).toBe(true);
  expect(await newer.refresh()).toBe(false);
});

it("never lets one build whose projection is older than one that has written", async () => {
  await database.write(
    "insert into search.feed_lease (feed, holder, version) values ('catalog', 'x', 3)",
  );
  const older = asking("a", 2);
  await older.claim();
  expect(await older.refresh()).toBe(false);
  expect(await asking("a", 3).refresh()).toBe(true);
});
