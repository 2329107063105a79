import type { Database } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { changeLogSource } from "../src/log/change-log-source.ts";
import { openFeedDatabase } from "./support/feed-fixture.ts";

const entryCount = 20_000;

/** Uses after which PostgreSQL may cache a plan. */
const usesUntilCached = 8;

describeOnEachDatabase("a log that has grown since it was first read", (testDatabase) => {
  let database: Database;
  beforeAll(async () => {
    // One connection, which caches plans from when the log was empty.
    database = await openFeedDatabase({ ...testDatabase.options(), maxConnections: 1 });
  });
  afterAll(() => database.close());

  /** Rows of the log that statements have read without an index. */
  async function rowsScanned(): Promise<bigint> {
    await database.read("select pg_stat_force_next_flush()");
    const row = await database.readOne<{ scanned: bigint }>(
      "select seq_tup_read as scanned from pg_stat_user_tables where relname = 'change_log'",
    );
    return row?.scanned ?? 0n;
  }

  it("is read from the position of a follower, never from its beginning", async () => {
    const source = changeLogSource(database, "owner");
    for (let use = 0; use < usesUntilCached; use++) await source.read(0n, { kinds: ["sandbox"] });
    await database.write(`
      insert into owner.change_log (kind, key, namespace, observed_at, entry)
      select 'sandbox', array['a'], 'a', now(), decode(repeat('61', 200), 'hex')
      from generate_series(1, ${entryCount})`);
    const before = await rowsScanned();
    const { entries } = await source.read(BigInt(entryCount - 10), { kinds: ["sandbox"] });
    await source.read(BigInt(entryCount));
    await source.newest();
    expect(entries).toHaveLength(10);
    expect((await rowsScanned()) - before).toBe(0n);
  });
});
