import { runForCall } from "@storefront/process";
import { describeOnEachDatabase, startTcpProxy, TestCall } from "@storefront/testkit";
import type { TcpProxy } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Database } from "../src/index.ts";
import { openDatabase } from "../src/index.ts";

const connectionCount = 4;

describeOnEachDatabase(
  "a network that drops all packets",
  (database) => {
    let proxy: TcpProxy;
    let db: Database;
    beforeEach(async () => {
      const url = new URL(database.options().url);
      proxy = await startTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      db = await openDatabase({
        url: url.href,
        maxConnections: connectionCount,
        queryTimeoutMs: 1000,
        connectTimeoutMs: 1000,
      });
    });
    afterEach(async () => {
      await db.close();
      await proxy.stop();
    });

    const onEach = (work: () => Promise<unknown>) =>
      Promise.all(Array.from({ length: connectionCount }, work));
    const connected = () => onEach(() => db.read("select pg_sleep(0.1)"));
    // An earlier statement may still be in progress.
    const expectUsable = () =>
      vi.waitFor(() => onEach(async () => expect(await db.probe()).toBeGreaterThan(0)), 10_000);

    it("costs only connections: statements fail, and succeed again on new ones", async () => {
      await connected();
      proxy.swallow();
      await onEach(() =>
        expect(db.probe()).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" }),
      );
      await onEach(() =>
        expect(db.transaction(() => Promise.resolve())).rejects.toThrow("unavailable"),
      );
      proxy.heal();
      await expectUsable();
    });

    it("does not block an aborted call, nor its connection", async () => {
      await connected();
      proxy.swallow();
      const calls = Array.from({ length: connectionCount }, () => new TestCall());
      const reads = calls.map((call) => runForCall(call, () => db.read("select pg_sleep(30)")));
      const ends = reads.map((read) => expect(read).rejects.toThrow("the call was aborted"));
      for (const call of calls) call.abort();
      await Promise.all(ends);
      proxy.heal();
      await expectUsable();
    });
  },
  ["postgres"],
);

/** Longer than a test may take: no test below waits for it. */
const longMs = 300_000;

describeOnEachDatabase(
  "a silence",
  (database) => {
    let proxy: TcpProxy;
    let db: Database;
    beforeEach(async () => {
      const { url: address, driver, neonRelayUrl } = database.options();
      const url = new URL(neonRelayUrl ?? address);
      proxy = await startTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      db = await openDatabase({
        ...(neonRelayUrl === undefined
          ? { url: url.href }
          : { url: address, neonRelayUrl: url.href }),
        driver,
        maxConnections: connectionCount,
        queryTimeoutMs: 500,
        connectTimeoutMs: longMs,
      });
      await Promise.all(
        Array.from({ length: connectionCount }, () => db.read("select pg_sleep(0.1)")),
      );
    });
    afterEach(async () => {
      await db.close();
      await proxy.stop();
    });
    const unreachable = { code: "DATABASE_UNREACHABLE" };

    it("is not retried on another connection", async () => {
      proxy.swallow();
      await expect(db.read("select 1")).rejects.toMatchObject(unreachable);
    });

    it("fails calls that wait for a connection, and later ones", async () => {
      proxy.swallow();
      const reads = Array.from({ length: 6 * connectionCount }, () => db.read("select 1"));
      for (const read of await Promise.allSettled(reads)) {
        expect(read).toMatchObject({ status: "rejected", reason: unreachable });
      }
      await expect(db.write("select 1")).rejects.toMatchObject(unreachable);
    });

    it("of one connection ends when the server responds on another", async () => {
      proxy.swallowSome();
      const reads = Array.from({ length: connectionCount }, () => db.read("select 1"));
      const ended = Promise.allSettled(reads);
      await db.read("select pg_sleep(0.3)");
      // They run when the silent connection is closed.
      const others = [1, 2].map(() => db.read("select pg_sleep(0.4)"));
      const failed = (await ended).filter(({ status }) => status === "rejected");
      expect(failed).toMatchObject([{ reason: unreachable }]);
      await expect(Promise.all([db.read("select 1"), ...others])).resolves.toHaveLength(3);
    });

    it("ends for all connections, also unused ones, once the database responds", async () => {
      proxy.swallow();
      await expect(db.read("select 1")).rejects.toMatchObject(unreachable);
      await expect(db.read("select 1")).rejects.toMatchObject(unreachable);
      proxy.heal();
      await vi.waitFor(() => db.read("select 1"), 10_000);
      const reads = Array.from({ length: 6 * connectionCount }, () => db.read("select 1 as one"));
      for (const rows of await Promise.all(reads)) expect(rows).toEqual([{ one: 1 }]);
    });
  },
  ["postgres", "neon"],
);
