import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

/** Reconciles records without storing them. */
function reconciledBy(take: () => void): FollowOptions["snapshot"] {
  return {
    kinds: ["sandbox"],
    reconcile: async () => take(),
    storedKeys: () => Promise.resolve([]),
  };
}

describeOnEachDatabase(
  "a projection that an earlier release left incomplete",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);

    /** Starts a follower whose projection is incomplete until it is resynchronised. */
    function follow(options: Partial<FollowOptions> = {}) {
      const state = { isIncomplete: true, checks: 0 };
      const metrics = createMetrics({ service: "test" });
      feed.follow({
        isIncomplete: () => {
          state.checks++;
          return Promise.resolve(state.isIncomplete);
        },
        snapshot: reconciledBy(() => {
          state.isIncomplete = false;
        }),
        metrics: new FeedMetrics(metrics),
        ...options,
      });
      return { state, metrics };
    }
    const resynchronisedOnce = /feed_resynchronisations_total\{.*reason="incomplete".*\} 1/;

    /** Acts as a process of a release without leases: moves the cursor before this follower reads the entry. */
    const applyElsewhere = async (key: string) => {
      await feed.database.write("update consumer.feed_cursor set sequence = sequence + 1");
      await feed.write(key);
    };

    it("is completed while it is followed, once", async () => {
      await feed.write("a");
      const { state, metrics } = follow();
      await feed.until("a");
      await feed.write("b");
      await feed.until("a", "b");
      await expect.poll(() => state.isIncomplete, patience).toBe(false);
      expect(await metrics.metrics()).toMatch(resynchronisedOnce);
    });

    it("is completed again after a process without a lease has applied entries", async () => {
      const { state, metrics } = follow();
      state.isIncomplete = false;
      await feed.write("a");
      await feed.until("a");
      state.isIncomplete = true;
      await applyElsewhere("b");
      await expect.poll(() => metrics.metrics(), patience).toMatch(resynchronisedOnce);
      await expect.poll(() => state.isIncomplete, patience).toBe(false);
    });

    it("is not checked again while no other process applies entries", async () => {
      const { state } = follow();
      state.isIncomplete = false;
      await feed.write("a");
      await feed.until("a");
      const { checks } = state;
      state.isIncomplete = true;
      await feed.write("b");
      await feed.write("c");
      await feed.until("a", "b", "c");
      expect(state.checks).toBe(checks);
    });

    it("is followed while the missing records are unavailable, and completed when they are available", async () => {
      let isAvailable = false;
      const { state } = follow({
        snapshot: reconciledBy(() => {
          if (!isAvailable) throw new Error("the database is full");
          state.isIncomplete = false;
        }),
      });
      await feed.write("a");
      await feed.until("a");
      isAvailable = true;
      await expect.poll(() => state.isIncomplete, patience).toBe(false);
      await feed.write("b");
      await feed.until("a", "b");
    });
  },
  ["pglite", "postgres"],
);
