import { createMetrics } from "@storefront/process";
import type { Metrics } from "@storefront/process";
import { describeOnEachDatabase, freePort, parseMetrics, sumOf } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, test } from "vitest";
import { lockWriters, openDatabase } from "../src/index.ts";
import type { Database } from "../src/index.ts";

describeOnEachDatabase("metrics of a database", (database) => {
  let metrics: Metrics;
  let db: Database;
  beforeAll(async () => {
    metrics = createMetrics({ service: "test" });
    db = await openDatabase({ ...database.options(), maxConnections: 2, metrics });
    await db.write("create table note (id int8 primary key)");
  });
  afterAll(() => db.close());

  it("measures statements by name, those without a name together", async () => {
    await db.read({ name: "test.one", text: "select 1" });
    await db.read("select 2");
    await db.read("select 3");
    const count = "db_statement_duration_seconds_count";
    expect(await valueOf(metrics, count, { statement: "test.one" })).toBe(1);
    expect(await valueOf(metrics, count, { statement: "unnamed" })).toBe(3);
    expect(await metrics.metrics()).not.toContain("select");
  });

  it("measures a statement that fails", async () => {
    const labels = { statement: "test.fails" };
    const statement = { name: "test.fails", text: "select 1 / 0" };
    await expect(db.read(statement)).rejects.toMatchObject({ code: "22012" });
    expect(await valueOf(metrics, "db_statement_duration_seconds_count", labels)).toBe(1);
  });

  it("counts transactions by outcome", async () => {
    const counts = async () => [
      await valueOf(metrics, "db_transactions_total", { outcome: "committed" }),
      await valueOf(metrics, "db_transactions_total", { outcome: "rolled_back" }),
    ];
    const [committed = 0, rolledBack = 0] = await counts();
    await db.transaction((tx) => tx.write("insert into note values (1)"));
    const failing = db.transaction(() => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    // The failure of a statement was ignored: the server rolls back at the commit.
    const careless = db.transaction(async (tx) => {
      await tx.write("insert into note values (1)").catch(() => undefined);
    });
    await expect(careless).rejects.toThrow("had failed");
    expect(await counts()).toEqual([committed + 1, rolledBack + 2]);
  });

  it("reports open and maximum connections, and the waits for a connection and for the lock", async () => {
    const waits = await valueOf(metrics, "db_pool_wait_duration_seconds_count");
    await db.transaction(async (tx) => {
      await lockWriters(tx, "test");
      expect(await valueOf(metrics, "db_pool_connections", { state: "used" })).toBe(1);
    });
    expect(await valueOf(metrics, "db_pool_wait_duration_seconds_count")).toBe(waits + 1);
    expect(await valueOf(metrics, "db_writer_lock_wait_seconds_count")).toBe(1);
    expect(await valueOf(metrics, "db_pool_connections", { state: "used" })).toBe(0);
    expect(await valueOf(metrics, "db_pool_waiting")).toBe(0);
    expect(await valueOf(metrics, "db_pool_max_connections")).toBe(
      database.driver === "pglite" ? 1 : 2,
    );
  });
});

test("counts failures to connect", async () => {
  const metrics = createMetrics({ service: "test" });
  const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
  const db = await openDatabase({ url, metrics });
  await expect(db.write("select 1")).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
  expect(await valueOf(metrics, "db_connection_failures_total")).toBe(1);
  await db.close();
});

async function valueOf(
  metrics: Metrics,
  name: string,
  labels: Record<string, string> = {},
): Promise<number> {
  return sumOf(parseMetrics(await metrics.metrics()), name, labels);
}
