import { runForCall } from "@storefront/process";
import { describeOnEachDatabase, TestCall } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database, Transaction } from "../src/index.ts";
import { joinLookups, openDatabase } from "../src/index.ts";

const waitForLock = "select pg_advisory_xact_lock(77)";

describeOnEachDatabase(
  "statements of a call",
  (database) => {
    let db: Database;
    let holder: Database;
    beforeAll(async () => {
      db = await openDatabase({ ...database.options(), maxConnections: 1 });
      holder = await openDatabase(database.options());
      await holder.write("create table written (id int4)");
    });
    afterAll(async () => {
      await db.close();
      await holder.close();
    });

    /** Runs `work` while this transaction has the lock. */
    const whileLocked = (work: (tx: Transaction) => Promise<void>) =>
      holder.transaction(async (tx) => {
        await tx.read(waitForLock);
        await work(tx);
      });
    const untilWaiting = (tx: Transaction, count: number) =>
      vi.waitUntil(async () => {
        const rows = await tx.read(
          `select 1 from pg_locks where locktype = 'advisory' and not granted
            and database = (select oid from pg_database where datname = current_database())`,
        );
        return rows.length === count;
      });
    // A pooler assigns any free session.
    const sql = database.way === "pgbouncer" ? "select 0 as pid" : "select pg_backend_pid() as pid";
    const pid = async () => (await db.readOne<{ pid: number }>(sql))?.pid;

    it("are cancelled with it, and their connection is reused", async () => {
      const before = await pid();
      await whileLocked(async (tx) => {
        const call = new TestCall();
        const read = runForCall(call, () => db.read(waitForLock));
        await untilWaiting(tx, 1);
        const reason = call.abort();
        await expect(read).rejects.toBe(reason);
        expect(call.listenerCount).toBe(0);
        await untilWaiting(tx, 0);
        expect(await pid()).toBe(before);
      });
    });

    it("are rolled back with it in a transaction, which fails with the call's reason", async () => {
      const before = await pid();
      await whileLocked(async (tx) => {
        const call = new TestCall();
        const writing = runForCall(call, () =>
          db.transaction(async (own) => {
            await own.write("insert into written values (1)");
            await own.read(waitForLock);
          }),
        );
        await untilWaiting(tx, 1);
        const reason = call.abort();
        await expect(writing).rejects.toBe(reason);
      });
      expect(await db.read("select id from written")).toEqual([]);
      expect(await pid()).toBe(before);
    });

    it("are not committed once it was aborted", async () => {
      const call = new TestCall();
      const writing = runForCall(call, () =>
        db.transaction(async (tx) => {
          await tx.write("insert into written values (2)");
          call.abort();
        }),
      );
      await expect(writing).rejects.toThrow("the call was aborted");
      expect(await db.read("select id from written")).toEqual([]);
    });

    it("are cancelled for several calls when the last of them is aborted", async () => {
      const lookUp = joinLookups<string>({
        one: () => Promise.resolve(undefined),
        many: async () => {
          await db.read(waitForLock);
          return new Map();
        },
      });
      await whileLocked(async (tx) => {
        const calls = [new TestCall(), new TestCall()];
        const lookups = Promise.allSettled(
          calls.map((call, index) => runForCall(call, () => lookUp(String(index), "x"))),
        );
        await untilWaiting(tx, 1);
        calls[0]?.abort();
        await tx.read("select 1");
        await untilWaiting(tx, 1);
        const reason = calls[1]?.abort();
        const rejected = { status: "rejected", reason };
        expect(await lookups).toEqual([rejected, rejected]);
        await untilWaiting(tx, 0);
      });
    });
  },
  ["postgres", "neon", "pgbouncer"],
);
