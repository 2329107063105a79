import { describeOnEachDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Database } from "../src/index.ts";
import { bulkDelete, bulkUpsert, openDatabase } from "../src/index.ts";

const columns = [
  { name: "id", type: "text" },
  { name: "region", type: "text" },
  { name: "title", type: "text" },
  { name: "record", type: "bytea" },
  { name: "tags", type: "text[]" },
  { name: "updated_at", type: "timestamptz" },
  { name: "amount", type: "int8" },
  { name: "extra", type: "jsonb" },
  { name: "ratio", type: "float8" },
  { name: "active", type: "bool" },
];
const target = { table: "bulk.thing", keyColumns: ["id", "region"], columns };

const hostile = [
  "",
  " ",
  "NULL",
  "null",
  "{}",
  "{NULL}",
  '{"a","b"}',
  'a"b',
  String.raw`a\b`,
  String.raw`\x41`,
  String.raw`\"`,
  "a,b",
  "a'b''c",
  "$1 %s -- ; drop table bulk.thing",
  "line\nbreak\r\ttab",
  "ünïcødé 漢字 🙂 \u202E \uFEFF",
  "x".repeat(70_000),
];

function row(id: string, values: object = {}) {
  return {
    id,
    region: "US",
    title: `title of ${id}`,
    record: Buffer.from(id),
    tags: ["a"],
    updated_at: new Date("2024-02-29T10:00:00.123Z"),
    amount: 2n ** 62n,
    extra: { key: id },
    ratio: 0.1,
    active: true,
    ...values,
  };
}

describeOnEachDatabase("bulk writes", (database) => {
  let db: Database;
  beforeAll(async () => {
    db = await openDatabase(database.options());
    await db.transaction((tx) =>
      tx.script(`create schema bulk;
        create table bulk.thing (id text, region text, title text, record bytea, tags text[],
          updated_at timestamptz, amount int8, extra jsonb, ratio float8, active bool,
          untouched text default 'kept', primary key (id, region))`),
    );
  });
  afterAll(() => db.close());
  beforeEach(() => db.write("truncate bulk.thing"));

  const upsert = (rows: Record<string, unknown>[]) =>
    db.transaction((tx) => bulkUpsert(tx, target, rows));
  const stored = () =>
    db.read<Record<string, unknown>>(
      `select ${columns.map(({ name }) => name).join(", ")} from bulk.thing order by id, region`,
    );

  it("does not write rows that are unchanged, on request", async () => {
    const write = (rows: Record<string, unknown>[]) =>
      db.transaction((tx) => bulkUpsert(tx, { ...target, leavesSame: true }, rows));
    const empty = { extra: null, tags: null };
    expect(await write([row("a"), row("b", empty), row("c")])).toBe(3);
    expect(await write([row("a"), row("b", empty), row("c", { tags: null })])).toBe(1);
    expect((await stored()).map(({ tags }) => tags)).toEqual([["a"], null, null]);
    expect(await write([row("b", { ...empty, title: "other" }), row("d")])).toBe(2);
  });

  it("stores every type and value as it was given", async () => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
    const rows = hostile.map((text, index) =>
      row(String(index).padStart(3, "0"), {
        title: text,
        record: Buffer.concat([bytes, Buffer.from(text)]),
        tags: [text, "next", text],
        extra: [text, { [text.slice(0, 20)]: text }],
      }),
    );
    expect(await upsert(rows)).toBe(hostile.length);
    expect(await stored()).toEqual(rows);
  });

  it("distinguishes hostile text in keys and finds it again to delete", async () => {
    const rows = hostile.map((text) => row(text.slice(0, 100), { region: text.slice(0, 100) }));
    expect(await upsert(rows)).toBe(hostile.length);
    expect(await upsert(rows)).toBe(hostile.length);
    const keyColumns = columns.slice(0, 2);
    const remove = (keys: Record<string, unknown>[]) =>
      db.transaction((tx) => bulkDelete(tx, { table: target.table, keyColumns }, keys));
    expect(await remove(rows.slice(1))).toBe(hostile.length - 1);
    expect(await remove(rows.slice(1))).toBe(0);
    expect(await stored()).toEqual([rows[0]]);
  });

  it("stores null for null, for undefined and for a missing value", async () => {
    const empty = { title: null, record: null, tags: undefined, extra: null, ratio: undefined };
    await upsert([row("a", empty), { id: "b", region: "US" }, row("c", { tags: [null, "x"] })]);
    const [a, b, c] = await stored();
    expect(a).toEqual(row("a", { ...empty, tags: null, ratio: null }));
    expect(b).toEqual({
      ...Object.fromEntries(columns.map(({ name }) => [name, null])),
      id: "b",
      region: "US",
    });
    expect(c).toEqual(row("c", { tags: [null, "x"] }));
  });

  it("stores empty arrays, empty bytes and numbers at their limits", async () => {
    const rows = [
      row("a", { tags: [], record: Buffer.alloc(0), amount: -(2n ** 63n), ratio: 5e-324 }),
      row("b", { amount: 2n ** 63n - 1n, ratio: Number.MAX_VALUE, active: false }),
    ];
    await upsert(rows);
    expect(await stored()).toEqual(rows);
  });

  it("writes the last of several rows with one key", async () => {
    const written = await upsert([
      row("a", { title: "first" }),
      row("b"),
      row("a", { region: "DE" }),
      row("a", { title: "last" }),
    ]);
    expect(written).toBe(3);
    expect((await stored()).map(({ title }) => title)).toEqual([
      "title of a",
      "last",
      "title of b",
    ]);
  });

  it("replaces the given columns only", async () => {
    await upsert([row("a")]);
    await db.write("update bulk.thing set untouched = 'mine'");
    await upsert([row("a", { title: "new" })]);
    const read = "select title, untouched from bulk.thing";
    expect(await db.read(read)).toEqual([{ title: "new", untouched: "mine" }]);
  });

  it("does not change rows when only the key is given", async () => {
    const keysOnly = { ...target, columns: columns.slice(0, 2) };
    await upsert([row("a")]);
    const rows = [row("a"), row("z")];
    expect(await db.transaction((tx) => bulkUpsert(tx, keysOnly, rows))).toBe(1);
  });

  it("does nothing for no rows", async () => {
    expect(await upsert([])).toBe(0);
  });

  it("rejects text for bytes and an object for text before anything is sent", async () => {
    await expect(upsert([row("a", { record: "text" })])).rejects.toThrow(TypeError);
    await expect(upsert([row("a", { title: {} })])).rejects.toThrow(TypeError);
    expect(await stored()).toEqual([]);
  });
});
