import { Code } from "@connectrpc/connect";
import { openDatabase } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { expect, it, vi } from "vitest";
import { tablesOf } from "../src/engine/postgres/tables.ts";
import { vectorBytes } from "../src/engine/postgres/vector-bytes.ts";
import { VectorTables } from "../src/engine/postgres/vector-tables.ts";

const realNow = performance.now.bind(performance);
let passedMs = 0;
vi.spyOn(performance, "now").mockImplementation(() => realNow() + passedMs);

const right = Float32Array.from([1, 0]);

it("begins anew some seconds after its thread failed, and refuses meanwhile", async () => {
  const database = await openDatabase(await memoryDatabase("nothing"));
  const vectors = new VectorTables(database);
  try {
    const table = tablesOf(1).vectors[0];
    await database.write("create schema search");
    await database.write(`create table ${table} (number int, version int8, vector bytea)`);
    const write = `insert into ${table} values (1, 1, $1)`;
    const nearest = async () => [
      ...(await vectors.nearest(1, { vector: right }, { limit: 10, among: undefined })),
    ];
    // Its thread has no room for rows of so many dimensions.
    await database.write(write, [vectorBytes(new Float32Array(1_100_000))]);
    await expect(nearest()).rejects.toThrow(RangeError);
    await database.write(`delete from ${table}`);
    await database.write(write, [vectorBytes(right)]);
    await expect(nearest()).rejects.toMatchObject({
      code: Code.Unavailable,
      metadata: { dependency: "vectors" },
    });
    passedMs += 10_000;
    expect(await nearest()).toEqual([1]);
  } finally {
    vectors.close();
    await database.close();
  }
});
