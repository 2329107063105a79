import { runForCall } from "@storefront/process";
import { describeOnEachDatabase, TestCall } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Database } from "../src/index.ts";
import { openDatabase } from "../src/index.ts";

describeOnEachDatabase(
  "the queue for connections",
  (database) => {
    let db: Database;
    beforeAll(async () => {
      const limits = { maxConnections: 1, maxWaiting: 2, connectTimeoutMs: 20_000 };
      db = await openDatabase({ ...database.options(), ...limits });
    });
    afterAll(() => db.close());

    /** Runs `work` while the only connection is used. */
    const whileUsed = (work: () => Promise<void>) => db.transaction(work);

    it("is left when the call is aborted", async () => {
      await whileUsed(async () => {
        const call = new TestCall();
        const read = runForCall(call, () => db.read("select 1"));
        await Promise.resolve();
        const reason = call.abort();
        await expect(read).rejects.toBe(reason);
        expect(call.listenerCount).toBe(0);
      });
      expect(await db.probe()).toBeGreaterThan(0);
    });

    it("is not joined for a call that was aborted", async () => {
      const call = new TestCall();
      const reason = call.abort();
      await expect(runForCall(call, () => db.read("select 1"))).rejects.toBe(reason);
      await expect(runForCall(call, () => db.transaction(() => Promise.resolve()))).rejects.toBe(
        reason,
      );
    });

    it("assigns connections in the order of arrival", async () => {
      const order: number[] = [];
      const reads: Promise<unknown>[] = [];
      await whileUsed(async () => {
        for (const each of [1, 2]) {
          reads.push(db.read("select 1").then(() => order.push(each)));
        }
      });
      await Promise.all(reads);
      expect(order).toEqual([1, 2]);
    });
  },
  ["pglite", "postgres"],
);

describeOnEachDatabase(
  "a queue that is full",
  (database) => {
    it("rejects one more call at once, and a call that waits for too long", async () => {
      const db = await openDatabase({
        ...database.options(),
        maxConnections: 1,
        maxWaiting: 1,
        connectTimeoutMs: 2_000,
      });
      await db.transaction(async () => {
        const waiting = db.read("select 1");
        waiting.catch(() => undefined);
        await expect(db.read("select 1")).rejects.toMatchObject({ code: "QUEUE_FULL" });
        await expect(waiting).rejects.toMatchObject({ code: "WAITED_TOO_LONG" });
      });
      await vi.waitFor(async () => expect(await db.probe()).toBeGreaterThan(0));
      await db.close();
    });
  },
  ["postgres"],
);
