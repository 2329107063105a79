import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { openDatabase } from "@storefront/database";
import { errorInfoOf } from "@storefront/rpc";
import { describeOnEachDatabase, slowDownDrops } from "@storefront/testkit";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { LogMaintenance } from "../src/index.ts";
import { append, logger, sandboxEntry } from "./support/feed-fixture.ts";
import { ServedFeed } from "./support/served-feed.ts";
import { entriesOf, failureOf, firstOf } from "./support/watch-feed.ts";

const dayMs = 86_400_000;

describeOnEachDatabase(
  "a log that is retained for 30 days, and 7 more for followers",
  (testDatabase) => {
    const feed = new ServedFeed(testDatabase);
    const retention = { retentionDays: 30, followerGraceDays: 7 };
    beforeEach(async () => {
      await feed.database.write("delete from owner.log_follower");
      await feed.database.write("delete from owner.log_start");
      for (const name of await partitions()) await feed.database.write(`drop table owner.${name}`);
    });

    const maintain = (more: Partial<ConstructorParameters<typeof LogMaintenance>[0]> = {}) =>
      new LogMaintenance({
        database: feed.database,
        schema: "owner",
        retention,
        logger,
        ...more,
      }).runOnce();

    async function partitions(): Promise<string[]> {
      const rows = await feed.database.read<{ name: string }>(`
      select relname::text as name from pg_inherits join pg_class on pg_class.oid = inhrelid
      where inhparent = 'owner.change_log'::regclass and relname <> 'change_log_other_days'
      order by relname`);
      return rows.map(({ name }) => name);
    }

    /** Writes entries as committed so many days ago, in the partition of their day. */
    async function writeDaysAgo(daysAgo: number, count: number): Promise<void> {
      const from = new Date((Math.floor(Date.now() / dayMs) - daysAgo) * dayMs);
      const until = new Date(from.getTime() + dayMs);
      const name = `change_log_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;
      await feed.database.write(`
      create table owner.${name} partition of owner.change_log (primary key (seq))
      for values from ('${from.toISOString()}') to ('${until.toISOString()}')`);
      await feed.database.write(
        `insert into owner.change_log (kind, key, namespace, observed_at, committed_at, entry)
      select 'sandbox', '{x}', '', now(), $1::timestamptz + number * interval '1 second', ''
      from generate_series(1, ${count}) as number`,
        [from],
      );
    }

    const retained = async () =>
      (
        await feed.database.read<{ seq: bigint }>("select seq from owner.change_log order by seq")
      ).map(({ seq }) => Number(seq));

    it("has partitions for the next week, each once", async () => {
      await maintain();
      const made = await partitions();
      const days = Array.from({ length: 7 }, (_, index) =>
        new Date(Date.now() + (index + 1) * dayMs).toISOString().slice(0, 10).replaceAll("-", ""),
      );
      expect(made).toEqual(days.map((day) => `change_log_${day}`));
      await maintain();
      expect(await partitions()).toEqual(made);
    });

    it("drops older days that every follower has passed", async () => {
      await writeDaysAgo(33, 3);
      await writeDaysAgo(32, 3);
      await writeDaysAgo(29, 3);
      await feed.client.acknowledgeChanges({ follower: "search", sequence: 4n });
      await feed.client.acknowledgeChanges({ follower: "changelog", sequence: 9n });
      await maintain();
      expect(await retained()).toEqual([4, 5, 6, 7, 8, 9]);
      await feed.client.acknowledgeChanges({ follower: "search", sequence: 6n });
      await maintain();
      expect(await retained()).toEqual([7, 8, 9]);
    });

    it("does not wait for a follower whose grace is over, and rejects it", async () => {
      await writeDaysAgo(39, 3);
      await writeDaysAgo(35, 3);
      await feed.client.acknowledgeChanges({ follower: "search", sequence: 1n });
      await maintain();
      expect(await retained()).toEqual([4, 5, 6]);
      expect((await feed.client.describeLog({})).followers).toMatchObject([{ isAwaited: false }]);
      for (const afterSequence of [0n, 1n]) {
        const error = await failureOf(feed.client, { afterSequence });
        expect(errorInfoOf(error)).toMatchObject({
          reason: ErrorReason.LOG_PRUNED,
          metadata: { oldestSequence: "4" },
        });
      }
    });

    it("can be followed from the last entry that was deleted", async () => {
      await writeDaysAgo(33, 3);
      await writeDaysAgo(29, 2);
      const last = (await entriesOf(feed.client, 0n, 3))[2]?.identity ?? "";
      await maintain();
      const { entries } = await firstOf(feed.client, { afterSequence: 3n, afterIdentity: last });
      expect(entries.map(({ sequence }) => sequence)).toEqual([4n, 5n]);
      const error = await failureOf(feed.client, { afterSequence: 3n, afterIdentity: "another" });
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.LOG_DIVERGED);
    });

    it("keeps its newest sequence and its id when every entry was deleted", async () => {
      await writeDaysAgo(33, 3);
      const before = await firstOf(feed.client, { fromNow: true });
      await maintain();
      expect(await retained()).toEqual([]);
      expect(await firstOf(feed.client, { fromNow: true })).toEqual(before);
      expect(await feed.client.describeLog({})).toMatchObject({
        newestSequence: 3n,
        oldestSequence: 0n,
      });
      await append(feed.database, [sandboxEntry("next")]);
      const { newestIdentity: afterIdentity, logId } = before;
      const next = await firstOf(feed.client, { afterSequence: 3n, afterIdentity });
      expect(next).toMatchObject({ newestSequence: 4n, logId });
    });

    it("deletes old entries on days without a partition", async () => {
      await feed.database.write(`
      insert into owner.change_log (kind, key, namespace, observed_at, committed_at, entry)
      select 'sandbox', '{x}', '', now(), now() - interval '24 hours' * (34 - number), ''
      from generate_series(1, 6) as number`);
      await feed.client.acknowledgeChanges({ follower: "search", sequence: 2n });
      await maintain();
      expect(await retained()).toEqual([3, 4, 5, 6]);
      const error = await failureOf(feed.client, { afterSequence: 1n });
      expect(errorInfoOf(error)?.reason).toBe(ErrorReason.LOG_PRUNED);
    });

    it("deletes nothing with a retention of 0 days", async () => {
      await writeDaysAgo(900, 3);
      await maintain({ retention: { retentionDays: 0, followerGraceDays: 7 } });
      expect(await retained()).toEqual([1, 2, 3]);
    });

    it("is maintained by one replica at a time", async () => {
      await Promise.all([maintain(), maintain(), maintain()]);
      expect(await partitions()).toHaveLength(7);
    });

    it("drops a day however long that takes", async () => {
      await writeDaysAgo(33, 3);
      await slowDownDrops(feed.database);
      const limited = await openDatabase({ ...testDatabase.options(), statementTimeoutMs: 300 });
      onTestFinished(() => limited.close());
      await maintain({ database: limited });
      expect(await retained()).toEqual([]);
    });
  },
);
