import {
  describeOnEachDatabase,
  describeUnlessMissing,
  freePort,
  missingPostgres,
} from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database, Transaction } from "../src/index.ts";
import { openDatabase } from "../src/index.ts";

/** Waits until a statement of the other database waits for the lock, and kills its connection. */
async function killWaiting(tx: Transaction): Promise<void> {
  const kill = `select pg_terminate_backend(pid) as killed from pg_locks
    where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
  let rows: unknown[] = [];
  while (rows.length === 0) rows = await tx.read(kill);
}

const waitForLock = "select pg_advisory_xact_lock(42), pg_backend_pid() as pid";

describeOnEachDatabase(
  "broken connections",
  (database) => {
    let db: Database;
    let killer: Database;
    const lost = Promise.withResolvers<void>();
    beforeAll(async () => {
      const logger = { warn: () => lost.resolve() };
      db = await openDatabase({ ...database.options(), maxConnections: 1, logger });
      killer = await openDatabase(database.options());
      await killer.write("create table written (id int4)");
    });
    afterAll(async () => {
      await db.close();
      await killer.close();
    });
    const pid = async () =>
      (await db.readOne<{ pid: number }>("select pg_backend_pid() as pid"))?.pid;

    const killWhile = async (use: () => Promise<unknown>) => {
      let using: Promise<unknown> | undefined;
      await killer.transaction(async (tx) => {
        await tx.read("select pg_advisory_xact_lock(42)");
        using = use();
        using.catch(() => undefined);
        await killWaiting(tx);
      });
      return using;
    };

    it("retries a read once on another connection", async () => {
      const before = await pid();
      const rows = await killWhile(() => db.read(waitForLock));
      expect(rows).toEqual([{ pid: await pid(), pg_advisory_xact_lock: "" }]);
      expect(await pid()).not.toBe(before);
    });

    it("retries a read at most once", async () => {
      const killSelf = db.read("select pg_terminate_backend(pg_backend_pid())");
      await expect(killSelf).rejects.toMatchObject({ code: "CONNECTION_LOST" });
      expect(await db.probe()).toBeGreaterThan(0);
    });

    it("never retries a write", async () => {
      const write = killWhile(() =>
        db.write("insert into written select 1 from (select pg_advisory_xact_lock(42)) as waited"),
      );
      await expect(write).rejects.toMatchObject({ code: "CONNECTION_LOST" });
      expect(await db.read("select id from written")).toEqual([]);
    });

    it("reports a transaction whose connection broke, and opens another", async () => {
      const transaction = killWhile(() => db.transaction((tx) => tx.read(waitForLock)));
      await expect(transaction).rejects.toMatchObject({ code: "CONNECTION_LOST" });
      expect(await db.transaction((tx) => tx.readOne("select 1 as one"))).toEqual({ one: 1 });
    });

    it("survives the loss of an idle connection, and logs it", async () => {
      await killer.read("select pg_terminate_backend($1)", [await pid()]);
      await lost.promise;
      expect(await db.probe()).toBeGreaterThan(0);
    });

    it("cancels a statement that exceeds its timeout, and keeps its connection", async () => {
      const impatient = await openDatabase({
        ...database.options(),
        statementTimeoutMs: 250,
        maxConnections: 1,
      });
      const own = "select pg_backend_pid() as pid";
      const before = await impatient.read(own);
      const slow = impatient.read("select pg_sleep(30)");
      await expect(slow).rejects.toMatchObject({ code: "57014" });
      expect(await impatient.read(own)).toEqual(before);
      await impatient.close();
    });
  },
  ["postgres", "neon"],
);

describeUnlessMissing("a server that does not run", missingPostgres(), () => {
  it("is unavailable, for reads, transactions and the probe", async () => {
    const db = await openDatabase({ url: `postgres://a:b@127.0.0.1:${await freePort()}/none` });
    const unreachable = { code: "DATABASE_UNREACHABLE" };
    await expect(db.read("select 1")).rejects.toMatchObject(unreachable);
    await expect(db.transaction(() => Promise.resolve())).rejects.toMatchObject(unreachable);
    await expect(db.probe()).rejects.toMatchObject(unreachable);
    await db.close();
  });
});
