import { createTransport } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import type { Database } from "@storefront/database";
import { createMetrics } from "@storefront/telemetry";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { beginningOfLog, FeedMetrics, followFeed, provideFeed } from "../src/index.ts";
import type { FeedFollower, FollowOptions, Resynchronisation } from "../src/index.ts";
import {
  append,
  insertAll,
  logger,
  names,
  openFeedDatabase,
  ownerLog,
  sandboxEntry,
  serveFeed,
} from "./support/feed-fixture.ts";

const patience = { timeout: 20_000, interval: 10 };
const unbroken = new AbortController().signal;

describeOnEachDatabase(
  "a projection that is rebuilt",
  (testDatabase) => {
    let database: Database;
    let server: RunningServer;
    let transport: ClosableTransport;
    let followers: FeedFollower[] = [];

    beforeAll(async () => {
      database = await openFeedDatabase(testDatabase.options());
      server = await serveFeed(
        provideFeed({ ...ownerLog(database), pollIntervalMs: 20, heartbeatMs: 100 }),
      );
      transport = createTransport({ baseUrl: `http://127.0.0.1:${server.port}` });
    });
    afterAll(async () => {
      await transport.close();
      await server.close();
      await database.close();
    });
    beforeEach(async () => {
      await database.write("truncate owner.change_log, consumer.applied restart identity");
      await database.write("truncate consumer.feed_cursor, consumer.feed_lease");
      await write(...names("a", 5));
    });
    afterEach(async () => {
      await Promise.all(followers.map((each) => each.close()));
      followers = [];
    });

    /** Forgets everything, so that the log is followed from its beginning. */
    const beginAnew = async (at: Resynchronisation) => {
      await at.transaction((tx) => tx.write("delete from consumer.applied"));
      return beginningOfLog;
    };
    function follow(options: Partial<FollowOptions> = {}): FeedFollower {
      const follower = followFeed({
        feed: "owner",
        transport,
        database,
        schema: "consumer",
        projectionVersion: 1,
        apply: insertAll,
        rebuild: beginAnew,
        logger,
        ...options,
      });
      followers.push(follower);
      follower.start();
      return follower;
    }
    const write = async (...keys: string[]) => {
      await append(
        database,
        keys.map((id) => sandboxEntry(id)),
      );
    };
    const until = async (...keys: string[]) => {
      const applied = async () =>
        (
          await database.read<{ key: string }>("select key from consumer.applied order by place")
        ).map(({ key }) => key);
      await expect.poll(applied, patience).toEqual(keys);
    };

    it("is what one is that has followed from the beginning, and is followed afterwards", async () => {
      const metrics = createMetrics({ service: "test" });
      let page = "";
      const follower = follow({
        metrics: new FeedMetrics(metrics),
        rebuild: async (at) => {
          page = await metrics.metrics();
          return await beginAnew(at);
        },
      });
      await until(...names("a", 5));
      await database.write("delete from consumer.applied where sequence in (2, 4)");
      await follower.rebuild(unbroken);
      await write("b");
      await until(...names("a", 5), "b");
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="asked".*\} 1/);
      expect(page).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
      expect(await metrics.metrics()).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it("is rebuilt by whoever was told last: the one before ends without a trace", async () => {
      const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = follow({
        rebuild: async (at) => {
          begun.resolve();
          await go.promise;
          return await beginAnew(at);
        },
      });
      const quick = follow();
      await until(...names("a", 5));
      const first = slow.rebuild(unbroken);
      await begun.promise;
      await quick.rebuild(unbroken);
      go.resolve();
      await expect(first).rejects.toThrow("another process or rebuild applies the feed");
      await write("b");
      await until(...names("a", 5), "b");
    });

    it("is followed from where it was when a rebuild breaks off, and can be rebuilt then", async () => {
      const breaking = new AbortController();
      let isBroken = true;
      const follower = follow({
        rebuild: async (at) => {
          if (isBroken) breaking.abort(new Error("broken off"));
          at.signal.throwIfAborted();
          return await beginAnew(at);
        },
      });
      await until(...names("a", 5));
      await expect(follower.rebuild(breaking.signal)).rejects.toThrow("broken off");
      await write("b");
      await until(...names("a", 5), "b");
      isBroken = false;
      await follower.rebuild(unbroken);
      await until(...names("a", 5), "b");
    });

    it("is written by an older version again, which only stood by", async () => {
      await database.write("insert into consumer.feed_lease (feed, version) values ('owner', 2)");
      const older = follow();
      await expect
        .poll(() => older.probe().catch(() => undefined), patience)
        .toMatchObject({ isOutdated: true });
      await older.rebuild(unbroken);
      await until(...names("a", 5));
      expect((await older.describe()).version).toBe(1);
    });
  },
  ["pglite", "postgres"],
);
