import { unavailable } from "@storefront/rpc";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { beforeAll, expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { append, insertAll, names, sandboxEntry } from "./support/feed-fixture.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

describeOnEachDatabase(
  "a follower with an entry that cannot be applied",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    beforeAll(async () => {
      await feed.database.transaction((tx) =>
        tx.script(`create domain consumer.good as text check (value <> 'bad');
          alter table consumer.applied alter column key type consumer.good`),
      );
    });

    const follow = (options: Partial<FollowOptions> = {}) =>
      feed.follow({ maxTries: 2, ...options });
    const quarantined = () =>
      feed.database.read("select sequence, kind, key, error from consumer.quarantined_entry");

    it("quarantines it with its error, applies all others in order, and reports it", async () => {
      const metrics = createMetrics({ service: "test" });
      await feed.write(...names("a", 5), "bad", ...names("b", 5));
      const started = follow({ metrics: new FeedMetrics(metrics) });
      await feed.write("c");
      await feed.until(...names("a", 5), ...names("b", 5), "c");
      expect(await quarantined()).toEqual([
        { sequence: 6n, kind: "sandbox", key: ["bad"], error: expect.stringContaining("good") },
      ]);
      await expect
        .poll(() => started.probe().catch(() => undefined), patience)
        .toMatchObject({ lagEntries: 0n, quarantinedEntries: 1n });
      expect(await metrics.metrics()).toMatch(/feed_quarantined_entries\{.*\} 1/);
    });

    it("retries temporary failures without limit, and quarantines nothing", async () => {
      let tries = 0;
      follow({
        apply: async (tx, entries) => {
          await insertAll(tx, entries);
          if (++tries < 6) throw unavailable("engine", new Error("down"));
        },
      });
      await feed.write("a", "b");
      await feed.until("a", "b");
      expect(tries).toBeGreaterThanOrEqual(6);
      expect(await quarantined()).toEqual([]);
    });

    it("applies it by command once that succeeds, and keeps it until then", async () => {
      await feed.write("a", "bad", "b");
      const started = follow();
      await feed.until("a", "b");
      expect(await started.retryQuarantined()).toEqual({ applied: 0, failed: 1 });
      expect(await quarantined()).toHaveLength(1);

      await feed.database.write("alter domain consumer.good drop constraint good_check");
      expect(await started.retryQuarantined()).toEqual({ applied: 1, failed: 0 });
      await feed.database.write("alter domain consumer.good add check (value <> 'bad') not valid");
      expect(await feed.applied()).toEqual(["a", "b", "bad"]);
      expect(await quarantined()).toEqual([]);
    });

    it("does not let it replace a later write of its record", async () => {
      let isFixed = false;
      const superseded: bigint[] = [];
      const apply = async (tx: Transaction, entries: readonly FeedEntry[]) => {
        const isOld = entries.some(({ changes }) => changes[0]?.field === "refused");
        if (isOld && !isFixed) throw new TypeError("cannot be read");
        await insertAll(tx, entries);
      };
      const old = { ...sandboxEntry("r"), changes: [] };
      await append(feed.database, [
        { ...old, changes: [{ changeType: 1, type: "object", field: "refused" }] },
      ]);
      const started = follow({
        apply,
        applySuperseded: async (_tx, { sequence }) => void superseded.push(sequence),
      });
      await expect.poll(quarantined, patience).toHaveLength(1);
      await feed.write("r");
      await feed.until("r");
      isFixed = true;
      expect(await started.retryQuarantined()).toEqual({ applied: 1, failed: 0 });
      expect(superseded).toEqual([1n]);
      expect(await feed.applied()).toEqual(["r"]);
    });

    it("does not let it replace a record of a later snapshot", async () => {
      await feed.write("a", "bad");
      const first = follow();
      await expect.poll(quarantined, patience).toHaveLength(1);
      await first.close();
      // Another history, in which the log does not have the quarantined entry.
      await feed.database.write("truncate owner.change_log restart identity");
      await feed.write("b");
      const superseded: bigint[] = [];
      const started = follow({
        applySuperseded: async (_tx, { sequence }) => void superseded.push(sequence),
        snapshot: {
          kinds: ["sandbox"],
          reconcile: insertAll,
          storedKeys: () => Promise.resolve([]),
        },
      });
      await feed.until("a", "b");
      await expect
        .poll(() => started.retryQuarantined(), patience)
        .toEqual({ applied: 1, failed: 0 });
      expect(superseded).toEqual([2n]);
    });
  },
  ["pglite", "postgres"],
);
