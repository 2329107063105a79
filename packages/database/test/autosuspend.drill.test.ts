import { describeOnEachDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../src/index.ts";
import { cachedWhileIdle, openDatabase } from "../src/index.ts";

const idle = { afterMs: 300, pollMs: 86_400_000 };
const pollIntervalMs = 20;
/**
 * Time for many polls and an attempt to reconnect. There is no event for "no statement came", so the test waits;
 * it waits on the server, which shows that this one responds.
 */
const longTime = "select pg_sleep(1.5)";
/** As `longTime`, of ten polls. */
const shortTime = "select pg_sleep(0.2)";
const within = { timeout: 10_000 };

const ofPoller = "datname = current_database() and application_name = 'poller'";

describeOnEachDatabase(
  "a database that is suspended while it is idle",
  (database) => {
    let db: Database;
    let replica: Database;
    let admin: Database;
    let polls: number;
    let isPolling: boolean;
    let stopping: AbortController;

    beforeEach(async () => {
      const options = { ...database.options(), autosuspend: true, idle };
      db = await openDatabase({ ...options, applicationName: "poller" });
      replica = await openDatabase({ ...options, applicationName: "replica" });
      admin = await openDatabase({ ...options, autosuspend: false, applicationName: "admin" });
      polls = 0;
      isPolling = false;
      stopping = new AbortController();
      void poll(stopping.signal);
      await untilIdle();
    });
    afterEach(async () => {
      stopping.abort();
      await Promise.all([db.close(), replica.close(), admin.close()]);
    });

    async function poll(signal: AbortSignal): Promise<void> {
      while (!signal.aborted) {
        isPolling = true;
        // Fails while the server is cut off; polling continues.
        await db.polling.runInBackground(() => db.read("select 1")).catch(() => undefined);
        isPolling = false;
        polls += 1;
        await db.polling.untilNextPoll(pollIntervalMs, signal);
      }
    }

    const untilIdle = () =>
      vi.waitUntil(async () => {
        const before = polls;
        await admin.read(shortTime);
        // A poll in progress may have begun before.
        return db.polling.idleSinceMs !== undefined && polls === before && !isPolling;
      }, within);

    const write = () => replica.transaction((tx) => tx.read("select 1"));

    const isPolled = (since: number) => vi.waitUntil(() => polls > since, within);

    /** When the poller's sessions began their last statements. */
    const statements = () =>
      admin.read(
        `select pid, query_start::text from pg_stat_activity where ${ofPoller} order by 1`,
      );

    const loseConnections = () =>
      admin.read(`select pg_terminate_backend(pid) from pg_stat_activity where ${ofPoller}`);

    it("receives no statement while it is idle, nor from probes", async () => {
      await db.probe();
      const before = await statements();
      expect(before.length).toBeGreaterThan(0);
      await admin.read(longTime);
      await db.probe();
      expect(await statements()).toEqual(before);
    });

    it("is polled at once after a commit of another process, and after a statement of this one", async () => {
      const idlePolls = polls;
      await write();
      expect(await isPolled(idlePolls)).toBe(true);
      await untilIdle();
      const laterPolls = polls;
      await db.read("select 1");
      expect(await isPolled(laterPolls)).toBe(true);
    });

    it("is read for a cached value once after each use, however often that value is read", async () => {
      let reads = 0;
      const cached = cachedWhileIdle(db.polling, () => Promise.resolve(++reads));
      expect([await cached(), await cached()]).toEqual([1, 1]);
      const idlePolls = polls;
      await write();
      expect(await isPolled(idlePolls)).toBe(true);
      expect(await cached()).toBe(2);
      await untilIdle();
      expect([await cached(), await cached()]).toEqual([3, 3]);
    });

    it("is not polled when other processes only read, or fail to commit", async () => {
      const idlePolls = polls;
      await replica.transaction((tx) => tx.read("select 1"), { readOnly: true });
      const failed = replica.transaction((tx) => tx.read("select 1 / 0"));
      await expect(failed).rejects.toThrow("division by zero");
      await admin.read(shortTime);
      expect(polls).toBe(idlePolls);
    });

    it("is polled while the listening connection is lost, which is reopened", async () => {
      await write();
      await untilIdle();
      const idlePolls = polls;
      await loseConnections();
      expect(await isPolled(idlePolls + 2)).toBe(true);
      await untilIdle();
      const laterPolls = polls;
      await write();
      expect(await isPolled(laterPolls)).toBe(true);
    });

    it("gets no connection after it was suspended, until a statement is sent", async () => {
      // No use between the two: the first loss may be a broken network.
      await loseConnections();
      await untilIdle();
      await db.probe();
      await loseConnections();
      await admin.read(longTime);
      expect(await statements()).toEqual([]);
      expect(await db.probe()).toBeGreaterThan(0);
      expect(await statements()).toEqual([]);

      // The first statement may fail, because its connection was lost.
      await vi.waitUntil(() => db.write("select 1").catch(() => undefined), within);
      await untilIdle();
      const idlePolls = polls;
      await write();
      expect(await isPolled(idlePolls)).toBe(true);
    });
  },
  ["postgres", "neon"],
);
