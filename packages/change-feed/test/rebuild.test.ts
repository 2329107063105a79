import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { beforeEach, expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { names } from "./support/feed-fixture.ts";
import { beginAnew, patience, ServedFeed } from "./support/served-feed.ts";

const unbroken = new AbortController().signal;

describeOnEachDatabase(
  "a projection that is rebuilt",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    beforeEach(() => feed.write(...names("a", 5)));

    const follow = (options: Partial<FollowOptions> = {}) =>
      feed.follow({ rebuild: beginAnew, ...options });

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
      await feed.until(...names("a", 5));
      await feed.database.write("delete from consumer.applied where sequence in (2, 4)");
      await follower.rebuild(unbroken);
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
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
      await feed.until(...names("a", 5));
      const first = slow.rebuild(unbroken);
      await begun.promise;
      await quick.rebuild(unbroken);
      go.resolve();
      await expect(first).rejects.toThrow("another process or rebuild applies the feed");
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
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
      await feed.until(...names("a", 5));
      await expect(follower.rebuild(breaking.signal)).rejects.toThrow("broken off");
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
      isBroken = false;
      await follower.rebuild(unbroken);
      await feed.until(...names("a", 5), "b");
    });

    it("is written by an older version again, which only stood by", async () => {
      await feed.database.write(
        "insert into consumer.feed_lease (feed, version) values ('owner', 2)",
      );
      const older = follow();
      await expect
        .poll(() => older.probe().catch(() => undefined), patience)
        .toMatchObject({ isOutdated: true });
      await older.rebuild(unbroken);
      await feed.until(...names("a", 5));
      expect((await older.describe()).version).toBe(1);
    });
  },
  ["pglite", "postgres"],
);
