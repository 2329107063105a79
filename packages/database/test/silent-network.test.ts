import { runForCall } from "@storefront/call-scope";
import { describeOnEachDatabase, startTcpProxy, TestCall } from "@storefront/testkit";
import type { TcpProxy } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { openDatabase } from "../src/index.ts";

const connectionCount = 4;

describeOnEachDatabase(
  "a network that swallows everything",
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
    const expectUsable = () => onEach(async () => expect(await db.probe()).toBeGreaterThan(0));

    it("costs connections and no more: statements fail, and work again on new ones", async () => {
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

    it("does not hold a call that nobody waits for, nor its connection", async () => {
      await connected();
      proxy.swallow();
      const calls = Array.from({ length: connectionCount }, () => new TestCall());
      const reads = calls.map((call) => runForCall(call, () => db.read("select pg_sleep(30)")));
      const ends = reads.map((read) => expect(read).rejects.toThrow("nobody waits any more"));
      for (const call of calls) call.abort();
      await Promise.all(ends);
      proxy.heal();
      await expectUsable();
    });
  },
  ["postgres"],
);
