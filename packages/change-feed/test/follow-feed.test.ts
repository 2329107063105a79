import { createTransport } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import { createClient } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase, freePort } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FeedMetrics, followFeed, provideFeed } from "../src/index.ts";
import type { FeedFollower, FollowOptions } from "../src/index.ts";
import {
  append,
  insertAll,
  logger,
  names,
  openFeedDatabase,
  sandboxEntry,
  ownerLog,
  serveFeed,
} from "./support/feed-fixture.ts";

describeOnEachDatabase("a follower of a feed", (testDatabase) => {
  let database: Database;
  let server: RunningServer;
  let transport: ClosableTransport;
  let followers: FeedFollower[];
  const feed = () => provideFeed({ ...ownerLog(database), pollIntervalMs: 20, heartbeatMs: 100 });

  beforeAll(async () => {
    database = await openFeedDatabase(testDatabase.options());
    server = await serveFeed(feed());
    transport = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
  });
  afterAll(async () => {
    await transport.close();
    await server.close();
    await database.close();
  });
  beforeEach(async () => {
    followers = [];
    await database.write("truncate owner.change_log, consumer.applied restart identity");
    await database.write("delete from consumer.feed_cursor");
    await database.write("delete from consumer.feed_lease");
  });
  afterEach(() => Promise.all(followers.map((follower) => follower.close())));

  function follow(options: Partial<FollowOptions> = {}): FeedFollower {
    const follower = followFeed({
      feed: "owner",
      transport,
      database,
      schema: "consumer",
      projectionVersion: 1,
      apply: insertAll,
      logger,
      ...options,
    });
    followers.push(follower);
    follower.start();
    return follower;
  }

  const applied = async () =>
    (await database.read<{ key: string }>("select key from consumer.applied order by place")).map(
      ({ key }) => key,
    );
  const cursor = async () =>
    (await database.readOne<{ sequence: bigint }>("select sequence from consumer.feed_cursor"))
      ?.sequence;
  const until = async (sequence: bigint) => {
    await expect.poll(cursor, { timeout: 20_000, interval: 10 }).toBe(sequence);
  };

  it("applies what is there in batches and what comes one after the other, in order", async () => {
    const batches: number[] = [];
    await append(
      database,
      names("a", 1_100).map((id) => sandboxEntry(id)),
    );
    follow({
      apply: async (tx, entries) => {
        batches.push(entries.length);
        await insertAll(tx, entries);
      },
    });
    await until(1_100n);
    await append(database, [sandboxEntry("b")]);
    await append(database, [sandboxEntry("c")]);
    await until(1_102n);
    expect(await applied()).toEqual([...names("a", 1_100), "b", "c"]);
    expect(batches.length).toBeLessThan(20);
  });

  it("continues where it was closed", async () => {
    await append(
      database,
      names("a", 10).map((id) => sandboxEntry(id)),
    );
    const first = follow();
    await until(10n);
    await first.close();
    await append(
      database,
      names("b", 10).map((id) => sandboxEntry(id)),
    );
    follow();
    await until(20n);
    expect(await applied()).toEqual([...names("a", 10), ...names("b", 10)]);
  });

  it("tells the log how far it has got, by the name of its schema", async () => {
    await database.write("delete from owner.log_follower");
    await append(
      database,
      names("a", 10).map((id) => sandboxEntry(id)),
    );
    follow();
    const told = () => database.readOne("select name, sequence from owner.log_follower");
    await expect.poll(told, { timeout: 20_000 }).toEqual({ name: "consumer", sequence: 10n });
  });

  it("misses and doubles nothing when its transactions fail at random points, twenty times", async () => {
    const all = names("r", 200);
    let failures = 0;
    const closeAt = () => Math.floor(Math.random() * 40);
    let follower: FeedFollower | undefined;
    const apply = async (tx: Transaction, entries: readonly FeedEntry[]) => {
      const failAt = failures < 20 ? closeAt() : Infinity;
      for (const [index, entry] of entries.entries()) {
        // Before, between and after the writes, but always before the commit.
        if (index === failAt) break;
        await insertAll(tx, [entry]);
      }
      if (failAt < Infinity) {
        failures++;
        throw new Error("killed");
      }
    };
    for (let start = 0; start < all.length; start += 25) {
      await append(
        database,
        all.slice(start, start + 25).map((id) => sandboxEntry(id)),
      );
    }
    for (let before = 0; before < 20; before = failures) {
      // A new one each time: nothing that it knew survives.
      const started = before;
      follower = follow({ apply });
      await expect.poll(() => failures, { timeout: 20_000, interval: 1 }).toBeGreaterThan(started);
      await follower.close();
    }
    follow({ apply });
    await until(200n);
    expect(await applied()).toEqual(all);
  });

  it("applies each entry once when two processes share a cursor", async () => {
    const both = [follow(), follow()];
    const areConnected = async () => (await Promise.all(both.map(isConnected))).every(Boolean);
    await expect.poll(areConnected, { interval: 5 }).toBe(true);
    for (const part of names("p", 20)) await append(database, [sandboxEntry(part)]);
    await until(20n);
    // Five heartbeats: the slower one has had everything by then.
    const client = createClient(FeedService, transport);
    const signal = AbortSignal.timeout(20_000);
    let heartbeats = 0;
    for await (const { entries } of client.watchChanges({ afterSequence: 20n }, { signal })) {
      if (entries.length === 0 && ++heartbeats === 5) break;
    }
    expect(await applied()).toEqual(names("p", 20));
  });

  it("comes back to a server that was restarted", async () => {
    let restarted = await serveFeed(feed());
    const { port } = restarted;
    const own = createTransport({ baseUrl: `http://127.0.0.1:${port}` });
    const follower = follow({ transport: own });
    await append(
      database,
      names("a", 5).map((id) => sandboxEntry(id)),
    );
    await until(5n);
    await restarted.close();
    await expect.poll(() => isConnected(follower), { interval: 10 }).toBe(false);
    await append(
      database,
      names("b", 5).map((id) => sandboxEntry(id)),
    );
    restarted = await serveFeed(feed(), port);
    await until(10n);
    expect(await applied()).toEqual([...names("a", 5), ...names("b", 5)]);
    await follower.close();
    await own.close();
    await restarted.close();
  });

  it("gives up a stream that has fallen silent, and connects again", async () => {
    const quiet = await serveFeed(
      provideFeed({ ...ownerLog(database), pollIntervalMs: 60_000, heartbeatMs: 60_000 }),
    );
    const own = createTransport({ baseUrl: `http://127.0.0.1:${quiet.port}` });
    const follower = follow({ transport: own, idleLimitMs: 100 });
    await expect.poll(() => isConnected(follower), { interval: 5 }).toBe(true);
    await append(database, [sandboxEntry("silent")]);
    await until(1n);
    await follower.close();
    await own.close();
    await quiet.close();
  });

  it("moves its cursor past entries of kinds that it does not want", async () => {
    await append(
      database,
      names("x", 30).map((id) => sandboxEntry(id, "price")),
    );
    follow({ kinds: ["offer"] });
    await until(30n);
    expect(await applied()).toEqual([]);
  });

  it("tells how far it is behind, as a metric and for health", async () => {
    const metrics = createMetrics({ service: "test" });
    const release = Promise.withResolvers<void>();
    await append(
      database,
      names("l", 3).map((id) => sandboxEntry(id)),
    );
    const follower = follow({
      metrics: new FeedMetrics(metrics),
      apply: async (tx, entries) => {
        await release.promise;
        await insertAll(tx, entries);
      },
    });
    // PGlite's one connection is the follower's now, and asking for the lag needs none.
    await expect.poll(() => isConnected(follower), { interval: 5 }).toBe(true);
    const behind = await follower.probe();
    expect(behind.lagEntries).toBe(3n);
    expect(behind.lagSeconds).toBeGreaterThanOrEqual(0);
    expect(await metrics.metrics()).toMatch(/feed_lag_entries\{feed="owner".*\} 3/);
    expect(await metrics.metrics()).toMatch(/feed_connected\{feed="owner".*\} 1/);
    release.resolve();
    await until(3n);
    await expect
      .poll(() => follower.probe(), { interval: 5 })
      .toMatchObject({ lagEntries: 0n, lagSeconds: 0 });
    expect(await metrics.metrics()).toMatch(/feed_entries_applied_total\{feed="owner".*\} 3/);
    expect(await metrics.metrics()).toMatch(/feed_position\{feed="owner".*\} 3/);
  });

  // On PGlite nothing is written while entries are applied.
  it.skipIf(testDatabase.driver === "pglite")(
    "knows how far it is behind what is written while it applies entries",
    async () => {
      const gate = Promise.withResolvers<void>();
      await append(database, [sandboxEntry("a")]);
      const follower = follow({
        apply: async (tx, entries) => {
          await gate.promise;
          await insertAll(tx, entries);
        },
      });
      const lag = () =>
        follower.probe().then(
          ({ lagEntries }) => lagEntries,
          () => undefined,
        );
      await expect.poll(lag).toBe(1n);
      await append(
        database,
        names("b", 10).map((id) => sandboxEntry(id)),
      );
      await expect.poll(lag).toBe(11n);
      gate.resolve();
      await expect.poll(lag).toBe(0n);
    },
  );

  it("tells of a feed that it never reached how long it has been without, and never NaN", async () => {
    const metrics = createMetrics({ service: "test" });
    const nowhere = createTransport({ baseUrl: `http://127.0.0.1:${await freePort()}` });
    const follower = follow({ metrics: new FeedMetrics(metrics), transport: nowhere });
    const page = await metrics.metrics();
    expect(await isConnected(follower)).toBe(false);
    expect(page).toMatch(/feed_connected\{feed="owner".*\} 0/);
    expect(page).toMatch(/feed_lag_seconds\{feed="owner".*\} \d/);
    expect(page).toMatch(/feed_lag_entries\{feed="owner".*\} 0/);
    expect(page).not.toMatch(/nan/i);
    await follower.close();
    await nowhere.close();
  });

  it("applies nothing after a cursor that went back until it has read the feed again", async () => {
    await append(
      database,
      names("a", 4).map((id) => sandboxEntry(id)),
    );
    follow();
    await until(4n);
    await database.transaction(async (tx) => {
      await tx.write("update consumer.feed_cursor set sequence = 2");
      await tx.write("delete from consumer.applied where sequence > 2");
    });
    await append(database, [sandboxEntry("b")]);
    await until(5n);
    expect(await applied()).toEqual([...names("a", 4), "b"]);
  });
});

async function isConnected(follower: FeedFollower): Promise<boolean> {
  return await follower.probe().then(
    () => true,
    () => false,
  );
}
