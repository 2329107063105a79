import { createClient } from "@connectrpc/connect";
import { FeedService } from "@storefront/contracts/feed/v1/feed_service";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Transaction } from "@storefront/database";
import { createLogger, createMetrics } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import { expect, it, vi } from "vitest";
import { FeedMetrics } from "../src/index.ts";
import type { FollowOptions } from "../src/index.ts";
import { names } from "./support/feed-fixture.ts";
import { patience, ServedFeed } from "./support/served-feed.ts";

describeOnEachDatabase(
  "followers of a feed with one cursor",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);

    /** Starts a follower that stores its name with every entry that it applies. */
    function follow(name: string, options: Partial<FollowOptions> = {}) {
      const metrics = createMetrics({ service: "test" });
      const lines: string[] = [];
      const follower = feed.follow({
        // So long that no lease expires because the machine is busy.
        leaseMs: 3_600_000,
        apply: (tx, entries) => insertAs(name, tx, entries),
        logger: createLogger({
          service: "test",
          level: "info",
          destination: { write: (line: string) => void lines.push(line) },
        }),
        metrics: new FeedMetrics(metrics),
        ...options,
      });
      const isLeading = async () => /feed_leading\{.*\} 1/.test(await metrics.metrics());
      return { follower, lines, isLeading };
    }

    const setLease = async (holder: string, secondsLeft: number, version = 1) => {
      await feed.database.write(
        `insert into consumer.feed_lease (feed, holder, version, expires_at)
          values ('owner', $1, $2, clock_timestamp() + make_interval(secs => $3))
          on conflict (feed) do update set holder = excluded.holder, version = excluded.version,
            expires_at = excluded.expires_at`,
        [holder, version, secondsLeft],
      );
    };

    it("lets one of three apply entries, and another as soon as that one closes", async () => {
      const first = follow("first");
      await vi.waitUntil(first.isLeading, patience);
      const others = [follow("second"), follow("third")];
      await feed.write("a", "b");
      await feed.until("first a", "first b");
      for (const { follower } of others) {
        await expect
          .poll(() => follower.probe().catch(() => undefined), patience)
          .toMatchObject({ lagEntries: 0n, lagSeconds: 0 });
      }

      await first.follower.close();
      await feed.write("c");
      await expect.poll(async () => (await feed.applied()).length, patience).toBe(3);
      expect((await feed.applied())[2]).toMatch(/^(second|third) c$/);
    });

    it("notifies followers on stand-by of a commit of the holder", async () => {
      const first = follow("first");
      await vi.waitUntil(first.isLeading, patience);
      let notified = 0;
      const { follower } = follow("second", { onCommitted: () => notified++ });
      await vi.waitUntil(() => follower.probe().catch(() => undefined), patience);
      await feed.write("a");
      await expect.poll(() => notified, patience).toBeGreaterThan(0);
      expect(await feed.applied()).toEqual(["first a"]);
    });

    it("takes over from a dead holder once its lease has expired, and not before", async () => {
      await setLease("dead", 3600);
      const { follower, isLeading } = follow("next");
      await feed.write("a");
      // By then the follower on stand-by has read the entry.
      await vi.waitUntil(
        async () => (await follower.probe().catch(() => undefined))?.lagEntries === 1n,
        patience,
      );
      expect(await isLeading()).toBe(false);
      await setLease("dead", 0);
      await feed.until("next a");
    });

    it("rejects the writes of a holder that was paused while another took over", async () => {
      const { isLeading } = follow("paused");
      await feed.write("a");
      await feed.until("paused a");
      await setLease("another", 3600);
      await feed.write("b");
      await vi.waitUntil(async () => !(await isLeading()), patience);
      expect(await feed.applied()).toEqual(["paused a"]);

      await feed.database.write("update consumer.feed_lease set holder = null");
      await feed.write("c");
      await feed.until("paused a", "paused b", "paused c");
    });

    it("does not take over from a holder that is slow within its transaction", async () => {
      const release = Promise.withResolvers<void>();
      const began = Promise.withResolvers<void>();
      const slow = follow("slow", {
        leaseMs: 300,
        apply: async (tx, entries) => {
          began.resolve();
          await release.promise;
          await insertAs("slow", tx, entries);
        },
      });
      await vi.waitUntil(slow.isLeading, patience);
      await feed.write("a");
      await began.promise;
      const next = follow("next");
      // On PGlite's one connection the follower on stand-by waits for the transaction anyway.
      if (testDatabase.driver !== "pglite") {
        const isLongOver = `select expires_at < clock_timestamp() - interval '2 seconds' as is_over
          from consumer.feed_lease`;
        await vi.waitUntil(
          async () => (await feed.database.readOne<{ is_over: boolean }>(isLongOver))?.is_over,
          patience,
        );
      }
      expect(await next.isLeading()).toBe(false);
      release.resolve();
      await feed.until("slow a");
    });

    it("lets a newer version of the projection take over from a live older one, permanently", async () => {
      const older = follow("older");
      await feed.write("a");
      await feed.until("older a");
      const newer = follow("newer", { projectionVersion: 2 });
      await vi.waitUntil(newer.isLeading, patience);
      await feed.write("b");
      await feed.until("older a", "newer b");
      await newer.follower.close();
      await feed.write("c");
      const warnings = () => older.lines.filter((line) => line.includes("a newer version"));
      await vi.waitUntil(() => warnings().length > 0, patience);
      await expect
        .poll(
          async () => (await older.follower.probe().catch(() => undefined))?.lagEntries,
          patience,
        )
        .toBe(1n);
      expect(await feed.applied()).toEqual(["older a", "newer b"]);
      expect(warnings()).toHaveLength(1);
    });

    it("writes nothing to the database while there is nothing to apply", async () => {
      follow("first", { leaseMs: 300 });
      await feed.write(...names("a", 3));
      await expect.poll(async () => (await feed.applied()).length, patience).toBe(3);
      // A follower that starts takes a lease that is not renewed, as its holder may be dead.
      await vi.waitUntil(follow("second", { leaseMs: 300 }).isLeading, patience);
      const state = () =>
        feed.database.readOne("select xmin::text, expires_at from consumer.feed_lease");
      const before = await state();
      const client = createClient(FeedService, feed.transport);
      const signal = AbortSignal.timeout(20_000);
      let heartbeats = 0;
      for await (const { entries } of client.watchChanges({ fromNow: true }, { signal })) {
        if (entries.length === 0 && ++heartbeats === 10) break;
      }
      expect(await state()).toEqual(before);
    });
  },
  ["pglite", "postgres"],
);

async function insertAs(
  name: string,
  tx: Transaction,
  entries: readonly FeedEntry[],
): Promise<void> {
  for (const { sequence, key } of entries) {
    await tx.write("insert into consumer.applied (sequence, key) values ($1, $2)", [
      sequence,
      `${name} ${key[0]}`,
    ]);
  }
}
