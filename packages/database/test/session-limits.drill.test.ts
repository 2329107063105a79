import { runForCall } from "@storefront/process";
import { describeOnEachDatabase, TestCall } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "../src/index.ts";
import { openDatabase } from "../src/index.ts";

const lock = "select pg_advisory_xact_lock(78)";

describeOnEachDatabase(
  "a limit of the session",
  (database) => {
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase({
        ...database.options(),
        maxConnections: 2,
        lockTimeoutMs: 300,
        // Long enough that the lock fails first on a busy machine.
        idleTransactionTimeoutMs: 3000,
      });
    });
    afterAll(() => db.close());

    const inTransaction = (isUnlimited: boolean) =>
      db.transaction(
        (tx) =>
          tx.readOne<{ timeout: string }>("select current_setting('statement_timeout') as timeout"),
        { isUnlimited },
      );

    it("ends the wait for a lock", async () => {
      await db.transaction(async (tx) => {
        await tx.read(lock);
        const waiting = db.transaction((other) => other.read(lock));
        await expect(waiting).rejects.toMatchObject({ code: "55P03" });
      });
    });

    it("ends an idle transaction, and frees its locks", async () => {
      const stalled = db.transaction(async (tx) => {
        await tx.read(lock);
        await vi.waitUntil(() => db.transaction((other) => other.read(lock)).catch(() => false), {
          timeout: 10_000,
        });
        await tx.read("select 1");
      });
      await expect(stalled).rejects.toMatchObject({ code: "CONNECTION_LOST" });
    });

    it("ends a transaction's statement at the deadline of its call, unless it is unlimited", async () => {
      const call = new TestCall(Date.now() + 5000);
      const limited = await runForCall(call, () => inTransaction(false));
      expect(limited?.timeout).toMatch(/^\d+ms$|^5s$/);
      expect(await runForCall(call, () => inTransaction(true))).toEqual({ timeout: "0" });
      expect(await inTransaction(false)).toEqual({ timeout: "10s" });
    });

    it("does not apply to maintenance, which its signal ends", async () => {
      const isUnlimited = `do $$ begin
        assert current_setting('statement_timeout') = '0';
        assert current_setting('lock_timeout') = '0';
      end $$`;
      await db.outsideTransaction([isUnlimited]);
      const ending = new AbortController();
      const maintenance = db.outsideTransaction(["select pg_sleep(600)"], ending.signal);
      const isAsleep = `select 1 from pg_stat_activity
        where query = 'select pg_sleep(600)' and state = 'active'`;
      await vi.waitUntil(() => db.readOne(isAsleep), { timeout: 10_000 });
      ending.abort(new Error("no longer wanted"));
      await expect(maintenance).rejects.toThrow("no longer wanted");
      expect(await inTransaction(false)).toEqual({ timeout: "10s" });
      expect(await db.readOne(isAsleep)).toBeUndefined();
    });
  },
  ["postgres", "neon", "pgbouncer"],
);

describeOnEachDatabase(
  "old connections",
  (database) => {
    it("are not reused", async () => {
      const db = await openDatabase({ ...database.options(), connectionLifetimeSeconds: 1 });
      const pid = async () =>
        (await db.readOne<{ pid: number }>("select pg_backend_pid() as pid"))?.pid;
      const before = await pid();
      await vi.waitFor(async () => expect(await pid()).not.toBe(before), { timeout: 10_000 });
      await db.close();
    });
  },
  ["postgres", "neon"],
);
