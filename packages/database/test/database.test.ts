import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { DatabaseSetupError, openDatabase } from "../src/index.ts";

describeOnEachDatabase(
  "database",
  (database) => {
    let db: Database;
    beforeAll(async () => {
      db = await openDatabase({ ...database.options(), applicationName: "database-test" });
      await db.write("create table note (id int8 primary key, body text not null)");
    });
    afterAll(() => db.close());

    const countNotes = async (id: bigint) =>
      (await db.read("select 1 from note where id = $1", [id])).length;

    it("gives every column type the same JavaScript value on each driver", async () => {
      const row = await db.readOne(
        `select 9007199254740993::int8 as big, 7::int4 as small, 0.5::float8 as float, true as bool,
        1.10::numeric as exact, '\\x00ff27'::bytea as bytes, '{"a":[1,null]}'::jsonb as json,
        timestamptz '2024-02-29 12:00:00.123+02' as moment, date '2024-02-29' as day,
        timestamp '2024-02-29 12:00:00' as local, array['a', null, '{"}'] as texts,
        array[1, 2]::int8[] as bigs, null::int8 as nothing`,
      );
      expect(row).toEqual({
        big: 9007199254740993n,
        small: 7,
        float: 0.5,
        bool: true,
        exact: "1.10",
        bytes: Buffer.from([0, 0xff, 0x27]),
        json: { a: [1, null] },
        moment: new Date("2024-02-29T10:00:00.123Z"),
        day: "2024-02-29",
        local: "2024-02-29 12:00:00",
        texts: ["a", null, '{"}'],
        bigs: [1n, 2n],
        nothing: null,
      });
    });

    it("returns every kind of parameter unchanged", async () => {
      const moment = new Date("2024-02-29T10:00:00.123Z");
      const row = await db.readOne(
        `select $1::int8 as big, $2::bytea as bytes, $3::timestamptz as moment, $4::jsonb as json,
        $5::text[] as texts, $6::text as text, $7::bytea as part,
        $8::bytea[] as parts, $9::int8[] as bigs, $10::timestamptz[] as moments`,
        [
          2n ** 62n,
          new Uint8Array([1, 2, 0]),
          moment,
          { deep: { quote: "'" } },
          ["a,b", '"', String.raw`\a`, null, "NULL"],
          undefined,
          Buffer.from("abcdef").subarray(2, 4),
          [Buffer.from([0, 92])],
          [1n, -1n],
          [moment],
        ],
      );
      expect(row).toEqual({
        big: 2n ** 62n,
        bytes: Buffer.from([1, 2, 0]),
        moment,
        json: { deep: { quote: "'" } },
        texts: ["a,b", '"', String.raw`\a`, null, "NULL"],
        text: null,
        part: Buffer.from("cd"),
        parts: [Buffer.from([0, 92])],
        bigs: [1n, -1n],
        moments: [moment],
      });
    });

    it("runs a named statement with the parameters of each call", async () => {
      const statement = { name: "test.double", text: "select $1::int4 * 2 as double" };
      const results = await Promise.all(
        [1, 2, 3].map((value) => db.readOne<{ double: number }>(statement, [value])),
      );
      expect(results.map((result) => result?.double)).toEqual([2, 4, 6]);
    });

    it("stays usable after a statement that failed, named or not", async () => {
      const named = { name: "test.cast", text: "select $1::text::int4 as value" };
      await expect(db.read(named, ["x"])).rejects.toMatchObject({ code: "22P02" });
      await expect(db.read("select nonsense")).rejects.toMatchObject({ code: "42703" });
      expect(await db.readOne(named, ["5"])).toEqual({ value: 5 });
    });

    it("stays usable after a parameter that cannot be sent", async () => {
      const circular: Record<string, unknown> = {};
      circular["self"] = circular;
      await expect(db.read("select $1::jsonb", [circular])).rejects.toThrow(TypeError);
      const transaction = db.transaction((tx) => tx.read("select $1::jsonb", [circular]));
      await expect(transaction).rejects.toThrow(TypeError);
      expect(
        await Promise.all([db.readOne("select 1 as one"), db.readOne("select 2 as two")]),
      ).toEqual([{ one: 1 }, { two: 2 }]);
    });

    it("returns the rows of a write and their count", async () => {
      const inserted = await db.write<{ id: bigint }>(
        "insert into note values (100, 'a'), (101, 'b') returning id",
      );
      expect(inserted).toEqual({ rows: [{ id: 100n }, { id: 101n }], rowCount: 2 });
      const deleted = await db.write("delete from note where id in (100, 101)");
      expect(deleted).toEqual({ rows: [], rowCount: 2 });
    });

    it("commits a transaction that resolves", async () => {
      const result = await db.transaction(async (tx) => {
        await tx.script("insert into note values (1, 'a'); insert into note values (2, 'b')");
        return tx.readOne<{ body: string }>("select body from note where id = 2");
      });
      expect(result).toEqual({ body: "b" });
      expect(await countNotes(1n)).toBe(1);
    });

    it("rolls back a transaction that rejects, and rejects with the same error", async () => {
      const failure = new Error("mine");
      const transaction = db.transaction(async (tx) => {
        await tx.write("insert into note values (3, 'a')");
        throw failure;
      });
      await expect(transaction).rejects.toBe(failure);
      expect(await countNotes(3n)).toBe(0);
    });

    it("rejects a transaction that continued after a failed statement", async () => {
      const transaction = db.transaction(async (tx) => {
        await tx.write("insert into note values (4, 'a')");
        await tx.write("insert into note values (4, 'again')").catch(() => undefined);
      });
      await expect(transaction).rejects.toThrow(Error);
      expect(await countNotes(4n)).toBe(0);
    });

    it("rejects statements on a transaction that has ended", async () => {
      const tx = await db.transaction((open) => Promise.resolve(open));
      await expect(tx.write("insert into note values (5, 'a')")).rejects.toThrow(Error);
      expect(await countNotes(5n)).toBe(0);
    });

    it("rejects writes in a read-only transaction", async () => {
      const transaction = db.transaction((tx) => tx.write("insert into note values (6, 'a')"), {
        isolation: "repeatable read",
        readOnly: true,
      });
      await expect(transaction).rejects.toMatchObject({ code: "25006" });
      expect(await countNotes(6n)).toBe(0);
    });

    it("lets two users open the same database, one closing before the other", async () => {
      const other = await openDatabase(database.options());
      await other.write("insert into note values (7, 'shared')");
      await other.close();
      expect(await countNotes(7n)).toBe(1);
    });

    // PGlite is built without the compiler; behind a pooler the role sets it.
    it.skipIf(["pglite", "pgbouncer"].includes(database.way))(
      "never compiles statements",
      async () => {
        expect(await db.readOne("select current_setting('jit') as jit")).toEqual({ jit: "off" });
      },
    );

    it("returns a positive time for a probe, and rejects statements once it is closed", async () => {
      expect(await db.probe()).toBeGreaterThan(0);
      const other = await openDatabase({ ...database.options() });
      await other.close();
      await other.close();
      await expect(other.read("select 1")).rejects.toMatchObject({ code: "DATABASE_UNREACHABLE" });
    });
  },
  ["pglite", "postgres", "neon", "pgbouncer"],
);

it.each(["", "mysql://host/db", ":memory:", "no-scheme"])("rejects the URL %j", async (url) => {
  const error = await openDatabase({ url }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(DatabaseSetupError);
  expect(error).toMatchObject({ code: "UNSUPPORTED_DATABASE_URL" });
});
