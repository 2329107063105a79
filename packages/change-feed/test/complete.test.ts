import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

/** Takes records without noting them. */
function takenBy(take: () => void): FollowOptions["snapshot"] {
  return {
    kinds: ["sandbox"],
    reconcile: async () => take(),
    storedKeys: () => Promise.resolve([]),
  };
}

describeOnEachDatabase(
  "a projection that an earlier release has left incomplete",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);

    /** Follows what lacks something until it was begun anew. */
    function follow(options: Partial<FollowOptions> = {}) {
      const state = { isLacking: true, asked: 0 };
      const metrics = createMetrics({ service: "test" });
      feed.follow({
        isIncomplete: () => {
          state.asked++;
          return Promise.resolve(state.isLacking);
        },
        snapshot: takenBy(() => {
          state.isLacking = false;
        }),
        metrics: new FeedMetrics(metrics),
        ...options,
      });
      return { state, metrics };
    }
    const begunAnew = /feed_resynchronisations_total\{.*reason="incomplete".*\} 1/;

    /** As a process does that knows no lease: it has moved the cursor before this one comes to the entry. */
    const applyElsewhere = async (key: string) => {
      await feed.database.write("update consumer.feed_cursor set sequence = sequence + 1");
      await feed.write(key);
    };

    it("is made complete while it is followed, once", async () => {
      await feed.write("a");
      const { state, metrics } = follow();
      await feed.until("a");
      await feed.write("b");
      await feed.until("a", "b");
      await expect.poll(() => state.isLacking, patience).toBe(false);
      expect(await metrics.metrics()).toMatch(begunAnew);
    });

    it("is made complete again after such a process has applied entries beside", async () => {
      const { state, metrics } = follow();
      state.isLacking = false;
      await feed.write("a");
      await feed.until("a");
      state.isLacking = true;
      await applyElsewhere("b");
      await expect.poll(() => metrics.metrics(), patience).toMatch(begunAnew);
      await expect.poll(() => state.isLacking, patience).toBe(false);
    });

    it("is not looked at again while nobody else applies entries", async () => {
      const { state } = follow();
      state.isLacking = false;
      await feed.write("a");
      await feed.until("a");
      const { asked } = state;
      state.isLacking = true;
      await feed.write("b");
      await feed.write("c");
      await feed.until("a", "b", "c");
      expect(state.asked).toBe(asked);
    });

    it("is followed while what it lacks cannot be had, and completed when it can", async () => {
      let isThere = false;
      const { state } = follow({
        snapshot: takenBy(() => {
          if (!isThere) throw new Error("the database is full");
          state.isLacking = false;
        }),
      });
      await feed.write("a");
      await feed.until("a");
      isThere = true;
      await expect.poll(() => state.isLacking, patience).toBe(false);
      await feed.write("b");
      await feed.until("a", "b");
    });
  },
  ["pglite", "postgres"],
);
