import { unavailable } from "@storefront/rpc";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import type { FeedEntry } from "@storefront/contracts/feed/v1/feed_service";
import type { Database, Transaction } from "@storefront/database";
import { createMetrics } from "@storefront/telemetry";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FeedMetrics, followFeed, provideFeed, reconcileWithSnapshot } from "../src/index.ts";
import type { FeedFollower, FollowOptions } from "../src/index.ts";
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

describeOnEachDatabase(
  "a follower with an entry that cannot be applied",
  (testDatabase) => {
    let database: Database;
    let server: RunningServer;
    let transport: ClosableTransport;
    let follower: FeedFollower | undefined;

    beforeAll(async () => {
      database = await openFeedDatabase(testDatabase.options());
      await database.transaction((tx) =>
        tx.script(`create domain consumer.good as text check (value <> 'bad');
          alter table consumer.applied alter column key type consumer.good`),
      );
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
      await database.write(
        "truncate consumer.feed_cursor, consumer.feed_lease, consumer.quarantined_entry",
      );
    });
    afterEach(() => follower?.close());

    function follow(options: Partial<FollowOptions> = {}): FeedFollower {
      follower = followFeed({
        feed: "owner",
        transport,
        database,
        schema: "consumer",
        projectionVersion: 1,
        maxTries: 2,
        apply: insertAll,
        logger,
        ...options,
      });
      follower.start();
      return follower;
    }
    const applied = async () =>
      (await database.read<{ key: string }>("select key from consumer.applied order by place")).map(
        ({ key }) => key,
      );
    const write = async (...keys: string[]) => {
      await append(
        database,
        keys.map((id) => sandboxEntry(id)),
      );
    };
    const until = async (keys: readonly string[]) => {
      await expect.poll(applied, patience).toEqual(keys);
    };
    const quarantined = () =>
      database.read("select sequence, kind, key, error from consumer.quarantined_entry");

    it("puts that one away with its error, applies all others in order, and tells of it", async () => {
      const metrics = createMetrics({ service: "test" });
      await write(...names("a", 5), "bad", ...names("b", 5));
      const started = follow({ metrics: new FeedMetrics(metrics) });
      await write("c");
      await until([...names("a", 5), ...names("b", 5), "c"]);
      expect(await quarantined()).toEqual([
        { sequence: 6n, kind: "sandbox", key: ["bad"], error: expect.stringContaining("good") },
      ]);
      await expect
        .poll(() => started.probe().catch(() => undefined), patience)
        .toMatchObject({ lagEntries: 0n, quarantinedEntries: 1n });
      expect(await metrics.metrics()).toMatch(/feed_quarantined_entries\{.*\} 1/);
    });

    it("tries for ever what may pass, and puts nothing away", async () => {
      let tries = 0;
      follow({
        apply: async (tx, entries) => {
          await insertAll(tx, entries);
          if (++tries < 6) throw unavailable("engine", new Error("away"));
        },
      });
      await write("a", "b");
      await until(["a", "b"]);
      expect(tries).toBeGreaterThanOrEqual(6);
      expect(await quarantined()).toEqual([]);
    });

    it("applies it by command once it can, and keeps it while it cannot", async () => {
      await write("a", "bad", "b");
      const started = follow();
      await until(["a", "b"]);
      expect(await started.retryQuarantined()).toEqual({ applied: 0, failed: 1 });
      expect(await quarantined()).toHaveLength(1);

      await database.write("alter domain consumer.good drop constraint good_check");
      expect(await started.retryQuarantined()).toEqual({ applied: 1, failed: 0 });
      await database.write("alter domain consumer.good add check (value <> 'bad') not valid");
      expect(await applied()).toEqual(["a", "b", "bad"]);
      expect(await quarantined()).toEqual([]);
    });

    it("does not let it take the place of a later write of its record", async () => {
      let isMended = false;
      const superseded: bigint[] = [];
      const apply = async (tx: Transaction, entries: readonly FeedEntry[]) => {
        const isOld = entries.some(({ changes }) => changes[0]?.field === "refused");
        if (isOld && !isMended) throw new TypeError("cannot be read");
        await insertAll(tx, entries);
      };
      const old = { ...sandboxEntry("r"), changes: [] };
      await append(database, [
        { ...old, changes: [{ changeType: 1, type: "object", field: "refused" }] },
      ]);
      const started = follow({
        apply,
        applySuperseded: async (_tx, { sequence }) => void superseded.push(sequence),
      });
      await expect.poll(quarantined, patience).toHaveLength(1);
      await write("r");
      await until(["r"]);
      isMended = true;
      expect(await started.retryQuarantined()).toEqual({ applied: 1, failed: 0 });
      expect(superseded).toEqual([1n]);
      expect(await applied()).toEqual(["r"]);
    });

    it("does not let it take the place of what a snapshot has shown since", async () => {
      await write("a", "bad");
      follow();
      await expect.poll(quarantined, patience).toHaveLength(1);
      await follower?.close();
      // Another history, in which the log says nothing of what was quarantined.
      await database.write("truncate owner.change_log restart identity");
      await write("b");
      const superseded: bigint[] = [];
      const started = follow({
        applySuperseded: async (_tx, { sequence }) => void superseded.push(sequence),
        resynchronise: (at) =>
          reconcileWithSnapshot(at, {
            schema: "consumer",
            kinds: ["sandbox"],
            reconcile: insertAll,
            held: async function* none() {},
          }),
      });
      await until(["a", "b"]);
      await expect
        .poll(() => started.retryQuarantined(), patience)
        .toEqual({ applied: 1, failed: 0 });
      expect(superseded).toEqual([2n]);
    });
  },
  ["pglite", "postgres"],
);
