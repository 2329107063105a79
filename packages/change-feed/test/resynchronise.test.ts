import { createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import { names } from "./support/feed-fixture.ts";
import { patience, restartFromBeginning, ServedFeed } from "./support/served-feed.ts";

describeOnEachDatabase(
  "a follower whose log has lost a part of its history",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);

    /** The log as a backup has it: the next entries get sequences that were used already. */
    async function goBackTo(sequence: bigint): Promise<void> {
      await feed.database.transaction(async (tx) => {
        await tx.write("delete from owner.change_log where seq > $1", [sequence]);
        await tx.read("select setval(pg_get_serial_sequence('owner.change_log', 'seq'), $1)", [
          sequence,
        ]);
      });
    }

    it("resynchronises, then follows from the position that this returns, and counts it", async () => {
      const metrics = createMetrics({ service: "test" });
      await feed.write(...names("a", 10));
      const first = feed.follow();
      await feed.until(...names("a", 10));
      await first.close();
      await goBackTo(7n);
      const reasons: string[] = [];
      const second = feed.follow({
        metrics: new FeedMetrics(metrics),
        resynchronise: async (at) => {
          reasons.push(at.reason);
          expect(at.position.sequence).toBe(10n);
          expect(await metrics.metrics()).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
          await expect(second.probe()).rejects.toThrow("not connected");
          return await restartFromBeginning(at);
        },
      });
      await feed.until(...names("a", 7));
      await feed.write("b");
      await feed.until(...names("a", 7), "b");
      expect(reasons).toEqual(["diverged"]);
      const page = await metrics.metrics();
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="diverged".*\} 1/);
      expect(page).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it.each(["connected", "stopped"])(
      "detects it by the identity of an entry when the log has grown past its position, while it was %s",
      async (where) => {
        await feed.write(...names("a", 10));
        const first = feed.follow({ resynchronise: restartFromBeginning });
        await feed.until(...names("a", 10));
        if (where === "stopped") await first.close();
        await goBackTo(7n);
        await feed.write(...names("b", 12));
        if (where === "stopped") feed.follow({ resynchronise: restartFromBeginning });
        await expect
          .poll(() => feed.applied(), patience)
          .toEqual([...names("a", 7), ...names("b", 12)]);
      },
    );

    it("restarts the resynchronisation after a failure", async () => {
      await feed.write(...names("a", 10));
      const first = feed.follow();
      await feed.until(...names("a", 10));
      await first.close();
      await goBackTo(7n);
      let attempts = 0;
      feed.follow({
        resynchronise: async (at) => {
          if (++attempts < 3) throw new Error("killed");
          return await restartFromBeginning(at);
        },
      });
      await feed.until(...names("a", 7));
      expect(attempts).toBe(3);
    });

    it("writes nothing when another process has moved the cursor meanwhile", async () => {
      await feed.write(...names("a", 10));
      const first = feed.follow();
      await feed.until(...names("a", 10));
      await first.close();
      await goBackTo(7n);
      let attempts = 0;
      const second = feed.follow({
        resynchronise: async (at) => {
          attempts++;
          await feed.database.write("update consumer.feed_cursor set sequence = 7");
          return await restartFromBeginning(at);
        },
      });
      await expect.poll(() => attempts).toBe(1);
      await expect
        .poll(() =>
          second.probe().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(attempts).toBe(1);
      expect(await feed.applied()).toEqual(names("a", 10));
    });
  },
  ["pglite", "postgres"],
);
