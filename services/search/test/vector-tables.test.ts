import { Code } from "@connectrpc/connect";
import { openDatabase } from "@storefront/database";
import type { Database, Queryable, Statement } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tablesOf } from "../src/engine/postgres/tables.ts";
import { vectorBytes } from "../src/engine/postgres/vectors/dot-products.ts";
import { VectorTable, VectorTables } from "../src/engine/postgres/vectors/vector-tables.ts";

const realNow = performance.now.bind(performance);
let passedMs = 0;
vi.spyOn(performance, "now").mockImplementation(() => realNow() + passedMs);

const right = Float32Array.from([1, 0]);

/** A thread has no room for rows of so many dimensions. */
const tooLong = new Float32Array(1_100_000);
const table = tablesOf(1).vectors[0];
const write = `insert into ${table} values ($1::int, $1::int, $2)`;

let database: Database;
beforeEach(async () => {
  database = await openDatabase(await memoryDatabase("nothing"));
  await database.write("create schema search");
  await database.write(`create table ${table} (number int, version int8, vector bytea)`);
});
afterEach(() => database.close());

it("refuses searches when its thread fails and for some seconds, and then begins anew", async () => {
  const vectors = new VectorTables(database);
  try {
    const nearest = async () => [
      ...(await vectors.nearest(1, { vector: right }, { limit: 10, among: undefined })),
    ];
    const refusal = {
      code: Code.Unavailable,
      metadata: { dependency: "vectors" },
      cause: expect.any(RangeError),
    };
    await database.write(write, [1, vectorBytes(tooLong)]);
    const waiting = await Promise.allSettled([nearest(), nearest()]);
    expect(waiting).toMatchObject([{ reason: refusal }, { reason: refusal }]);
    await database.write(`delete from ${table}`);
    await database.write(write, [1, vectorBytes(right)]);
    await expect(nearest()).rejects.toMatchObject(refusal);
    passedMs += 10_000;
    expect(await nearest()).toEqual([1]);
  } finally {
    vectors.close();
  }
});

it("reads no further once its thread has failed", async () => {
  await database.write(write, [1, vectorBytes(tooLong)]);
  // More than a first page, and then one by one.
  await database.write(
    `insert into ${table} select n, n, $1::bytea from generate_series(2, 110) as n`,
    [vectorBytes(right)],
  );
  const held = new VectorTable(table, 0n);
  let pages = 0;
  const untilFailed: Queryable = {
    ...database,
    async read<Row>(statement: Statement, parameters?: readonly unknown[]) {
      pages += 1;
      if (pages > 1) await vi.waitUntil(() => held.failure !== undefined);
      return await database.read<Row>(statement, parameters);
    },
  };
  await expect(
    held.nearest(untilFailed, { vector: right, limit: 10, among: undefined }),
  ).rejects.toThrow(RangeError);
  expect(pages).toBe(2);
});
