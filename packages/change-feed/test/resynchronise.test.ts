import { createTransport } from "@storefront/rpc";
import type { ClosableTransport, RunningServer } from "@storefront/rpc";
import type { Database } from "@storefront/database";
import { createMetrics } from "@storefront/telemetry";
import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { FeedMetrics, followFeed, beginningOfLog, provideFeed } from "../src/index.ts";
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

describeOnEachDatabase(
  "a follower whose log has lost a part of its history",
  (testDatabase) => {
    let database: Database;
    let server: RunningServer;
    let transport: ClosableTransport;
    let follower: FeedFollower | undefined;

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
      await database.write("delete from consumer.feed_cursor");
    });
    afterEach(() => follower?.close());

    function follow(options: Partial<FollowOptions> = {}): void {
      follower = followFeed({
        feed: "owner",
        transport,
        database,
        schema: "consumer",
        projectionVersion: 1,
        apply: insertAll,
        logger,
        ...options,
      });
      follower.start();
    }

    const applied = async () =>
      (await database.read<{ key: string }>("select key from consumer.applied order by place")).map(
        ({ key }) => key,
      );
    const until = async (keys: readonly string[]) => {
      await expect.poll(applied, { timeout: 20_000, interval: 10 }).toEqual(keys);
    };
    /** Forgets everything, so that the log can be followed from its beginning. */
    const beginAnew = async (at: Resynchronisation) => {
      await at.transaction((tx) => tx.write("delete from consumer.applied"));
      return beginningOfLog;
    };
    /** The log as a backup has it: what is written next takes sequences that were used already. */
    async function goBackTo(sequence: bigint): Promise<void> {
      await database.transaction(async (tx) => {
        await tx.write("delete from owner.change_log where seq > $1", [sequence]);
        await tx.read("select setval(pg_get_serial_sequence('owner.change_log', 'seq'), $1)", [
          sequence,
        ]);
      });
    }

    it("resynchronises, then follows from where it was told to, and counts it", async () => {
      const metrics = createMetrics({ service: "test" });
      await append(
        database,
        names("a", 10).map((id) => sandboxEntry(id)),
      );
      follow();
      await until(names("a", 10));
      await follower?.close();
      await goBackTo(7n);
      const reasons: string[] = [];
      follow({
        metrics: new FeedMetrics(metrics),
        resynchronise: async (at) => {
          reasons.push(at.reason);
          expect(at.position.sequence).toBe(10n);
          expect(await metrics.metrics()).toMatch(/feed_resynchronising\{feed="owner".*\} 1/);
          await expect(follower?.probe()).rejects.toThrow("not connected");
          return await beginAnew(at);
        },
      });
      await until(names("a", 7));
      await append(database, [sandboxEntry("b")]);
      await until([...names("a", 7), "b"]);
      expect(reasons).toEqual(["diverged"]);
      const page = await metrics.metrics();
      expect(page).toMatch(/feed_resynchronisations_total\{.*reason="diverged".*\} 1/);
      expect(page).toMatch(/feed_resynchronising\{feed="owner".*\} 0/);
    });

    it.each(["connected", "away"])(
      "notices it by the identity of an entry when the log has grown past its place, while it was %s",
      async (where) => {
        await append(
          database,
          names("a", 10).map((id) => sandboxEntry(id)),
        );
        follow({ resynchronise: beginAnew });
        await until(names("a", 10));
        if (where === "away") await follower?.close();
        await goBackTo(7n);
        await append(
          database,
          names("b", 12).map((id) => sandboxEntry(id)),
        );
        if (where === "away") follow({ resynchronise: beginAnew });
        const all = [...names("a", 7), ...names("b", 12)];
        await expect.poll(applied, { timeout: 20_000, interval: 10 }).toEqual(all);
      },
    );

    it("begins anew when it failed on the way", async () => {
      await append(
        database,
        names("a", 10).map((id) => sandboxEntry(id)),
      );
      follow();
      await until(names("a", 10));
      await follower?.close();
      await goBackTo(7n);
      let attempts = 0;
      follow({
        resynchronise: async (at) => {
          if (++attempts < 3) throw new Error("killed");
          return await beginAnew(at);
        },
      });
      await until(names("a", 7));
      expect(attempts).toBe(3);
    });

    it("writes nothing where another has moved the cursor meanwhile", async () => {
      await append(
        database,
        names("a", 10).map((id) => sandboxEntry(id)),
      );
      follow();
      await until(names("a", 10));
      await follower?.close();
      await goBackTo(7n);
      let attempts = 0;
      follow({
        resynchronise: async (at) => {
          attempts++;
          await database.write("update consumer.feed_cursor set sequence = 7");
          return await beginAnew(at);
        },
      });
      await expect
        .poll(() =>
          follower?.probe().then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
      expect(attempts).toBe(1);
      expect(await applied()).toEqual(names("a", 10));
    });
  },
  ["pglite", "postgres"],
);
