import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { beforeEach, expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { names } from "./support/feed-fixture.ts";
import { patience, restartFromBeginning, ServedFeed } from "./support/served-feed.ts";

const neverAborted = new AbortController().signal;

describeOnEachDatabase(
  "a projection that is rebuilt",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    beforeEach(() => feed.write(...names("a", 5)));

    const follow = (options: Partial<FollowOptions> = {}) =>
      feed.follow({ rebuild: restartFromBeginning, ...options });

    it("equals one that followed from the beginning, and is followed afterwards", async () => {
      const metrics = createMetrics({ service: "test" });
      let page = "";
      const follower = follow({
        metrics: new FeedMetrics(metrics),
        rebuild: async (at) => {
          page = await metrics.metrics();
          return await restartFromBeginning(at);
        },
      });
      await feed.until(...names("a", 5));
      await feed.database.write("delete from consumer.applied where sequence in (2, 4)");
      await follower.rebuild(neverAborted);
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="asked".*\} 1/);
      expect(page).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
      expect(await metrics.metrics()).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it("is rebuilt by the last command; the earlier rebuild fails and writes nothing", async () => {
      const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = follow({
        rebuild: async (at) => {
          begun.resolve();
          await go.promise;
          return await restartFromBeginning(at);
        },
      });
      const quick = follow();
      await feed.until(...names("a", 5));
      const first = slow.rebuild(neverAborted);
      await begun.promise;
      await quick.rebuild(neverAborted);
      go.resolve();
      await expect(first).rejects.toThrow("another process or rebuild applies the feed");
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
    });

    it("is followed from its position when a rebuild is aborted, and can be rebuilt again", async () => {
      const breaking = new AbortController();
      let isBroken = true;
      const follower = follow({
        rebuild: async (at) => {
          if (isBroken) breaking.abort(new Error("command cancelled"));
          at.signal.throwIfAborted();
          return await restartFromBeginning(at);
        },
      });
      await feed.until(...names("a", 5));
      await expect(follower.rebuild(breaking.signal)).rejects.toThrow("command cancelled");
      await feed.write("b");
      await feed.until(...names("a", 5), "b");
      isBroken = false;
      await follower.rebuild(neverAborted);
      await feed.until(...names("a", 5), "b");
    });

    it("is written again by an older version that was on stand-by", async () => {
      await feed.database.write(
        "insert into consumer.feed_lease (feed, version) values ('owner', 2)",
      );
      const older = follow();
      await expect
        .poll(() => older.probe().catch(() => undefined), patience)
        .toMatchObject({ isOutdated: true });
      await older.rebuild(neverAborted);
      await feed.until(...names("a", 5));
      expect((await older.describe()).version).toBe(1);
    });
  },
  ["pglite", "postgres"],
);
