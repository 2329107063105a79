import { createTransport } from "@storefront/rpc";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase, freePort } from "@storefront/testkit";
import { expect, it } from "vitest";
import { FeedMetrics, provideFeed } from "../src/index.ts";
import type { FeedFollower, FollowOptions } from "../src/index.ts";
import {
  append,
  insertAll,
  names,
  ownerLog,
  sandboxEntry,
  serveFeed,
} from "./support/feed-fixture.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

describeOnEachDatabase("a follower of a feed", (testDatabase) => {
  const feed = new ServedFeed(testDatabase);
  const follow = (options: Partial<FollowOptions> = {}) => feed.follow(options);
  const ownFeed = (port = 0) =>
    serveFeed(
      provideFeed({ ...ownerLog(feed.database), pollIntervalMs: 20, heartbeatMs: 100 }),
      port,
    );

  const cursor = async () =>
    (await feed.database.readOne<{ sequence: bigint }>("select sequence from consumer.feed_cursor"))
      ?.sequence;
  const until = async (sequence: bigint) => {
    await expect.poll(cursor, patience).toBe(sequence);
  };

  it("applies stored entries in batches and new ones one by one, in order", async () => {
    const batches: number[] = [];
    await feed.write(...names("a", 1_100));
    follow({
      apply: async (tx, entries) => {
        batches.push(entries.length);
        await insertAll(tx, entries);
      },
    });
    await until(1_100n);
    await feed.write("b");
    await feed.write("c");
    await until(1_102n);
    expect(await feed.applied()).toEqual([...names("a", 1_100), "b", "c"]);
    expect(batches.length).toBeLessThan(20);
  });

  it("resumes where it was closed", async () => {
    await feed.write(...names("a", 10));
    const first = follow();
    await until(10n);
    await first.close();
    await feed.write(...names("b", 10));
    follow();
    await until(20n);
    expect(await feed.applied()).toEqual([...names("a", 10), ...names("b", 10)]);
  });

  it("reports its progress to the log, by the name of its schema", async () => {
    await feed.database.write("delete from owner.log_follower");
    await feed.write(...names("a", 10));
    follow();
    const reported = () => feed.database.readOne("select name, sequence from owner.log_follower");
    await expect.poll(reported, { timeout: 20_000 }).toEqual({ name: "consumer", sequence: 10n });
  });

  it("neither misses nor repeats an entry when its transactions fail at random points, twenty times", async () => {
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
      await feed.write(...all.slice(start, start + 25));
    }
    for (let before = 0; before < 20; before = failures) {
      // A new follower each time: no state in memory survives.
      const started = before;
      follower = follow({ apply });
      await expect.poll(() => failures, { timeout: 20_000, interval: 1 }).toBeGreaterThan(started);
      await follower.close();
    }
    follow({ apply });
    await until(200n);
    expect(await feed.applied()).toEqual(all);
  });

  it("applies each entry once when two processes share a cursor", async () => {
    const both = [follow(), follow()];
    const areConnected = async () => (await Promise.all(both.map(isConnected))).every(Boolean);
    await expect.poll(areConnected, { interval: 5 }).toBe(true);
    for (const part of names("p", 20)) await feed.write(part);
    await until(20n);
    // Five heartbeats: by then the slower one has received every entry.
    const client = feed.client;
    const signal = AbortSignal.timeout(20_000);
    let heartbeats = 0;
    for await (const { entries } of client.watchChanges({ afterSequence: 20n }, { signal })) {
      if (entries.length === 0 && ++heartbeats === 5) break;
    }
    expect(await feed.applied()).toEqual(names("p", 20));
  });

  it("reconnects to a server that was restarted", async () => {
    let restarted = await ownFeed();
    const { port } = restarted;
    const own = createTransport({ baseUrl: `http://127.0.0.1:${port}` });
    const follower = follow({ transport: own });
    await feed.write(...names("a", 5));
    await until(5n);
    await restarted.close();
    await expect.poll(() => isConnected(follower), { interval: 10 }).toBe(false);
    await feed.write(...names("b", 5));
    restarted = await ownFeed(port);
    await until(10n);
    expect(await feed.applied()).toEqual([...names("a", 5), ...names("b", 5)]);
    await follower.close();
    await own.close();
    await restarted.close();
  });

  it("abandons a silent stream, and reconnects", async () => {
    const quiet = await serveFeed(
      provideFeed({ ...ownerLog(feed.database), pollIntervalMs: 60_000, heartbeatMs: 60_000 }),
    );
    const own = createTransport({ baseUrl: `http://127.0.0.1:${quiet.port}` });
    const follower = follow({ transport: own, idleLimitMs: 100 });
    await expect.poll(() => isConnected(follower), { interval: 5 }).toBe(true);
    await feed.write("silent");
    await until(1n);
    await follower.close();
    await own.close();
    await quiet.close();
  });

  it("moves its cursor past entries of kinds that it does not follow", async () => {
    await append(
      feed.database,
      names("x", 30).map((id) => sandboxEntry(id, "price")),
    );
    follow({ kinds: ["offer"] });
    await until(30n);
    expect(await feed.applied()).toEqual([]);
  });

  it("reports its lag, as a metric and for health", async () => {
    const metrics = createMetrics({ service: "test" });
    const release = Promise.withResolvers<void>();
    await feed.write(...names("l", 3));
    const follower = follow({
      metrics: new FeedMetrics(metrics),
      apply: async (tx, entries) => {
        await release.promise;
        await insertAll(tx, entries);
      },
    });
    // The follower uses PGlite's one connection now; reading the lag needs none.
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
    "includes entries in its lag that are written while it applies others",
    async () => {
      const gate = Promise.withResolvers<void>();
      await feed.write("a");
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
      await feed.write(...names("b", 10));
      await expect.poll(lag).toBe(11n);
      gate.resolve();
      await expect.poll(lag).toBe(0n);
    },
  );

  it("reports a lag in seconds for a feed that it never reached, and never NaN", async () => {
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

  it("applies nothing after its cursor moved back until it has read the feed again", async () => {
    await feed.write(...names("a", 4));
    follow();
    await until(4n);
    await feed.database.transaction(async (tx) => {
      await tx.write("update consumer.feed_cursor set sequence = 2");
      await tx.write("delete from consumer.applied where sequence > 2");
    });
    await feed.write("b");
    await until(5n);
    expect(await feed.applied()).toEqual([...names("a", 4), "b"]);
  });
});

async function isConnected(follower: FeedFollower): Promise<boolean> {
  return await follower.probe().then(
    () => true,
    () => false,
  );
}
