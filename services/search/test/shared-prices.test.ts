import { migrate, openDatabase } from "@storefront/database";
import type { Queryable, Statement, Database } from "@storefront/database";
import { asRegion } from "@storefront/domain/identifiers";
import type { Region } from "@storefront/domain/identifiers";
import { regions } from "@storefront/domain/regions";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { ColumnsOfGenerations } from "../src/engine/postgres/columns/index-columns.ts";
import { dropTables, tablesOf } from "../src/engine/postgres/tables.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";
import { offerOf } from "./support/offer-of.ts";
import { storeDocuments } from "./support/stored-prices.ts";

let database: Database;
beforeEach(async () => {
  database = await openDatabase({ url: "pglite:memory:" });
  onTestFinished(() => database.close());
  await migrate(database, searchService.migrations);
  const engine = createPostgresEngine(database);
  await engine.createGeneration(1, { dimensions: undefined });
  const offers = ["a", "b", "c"].map((id) => offerOf(id));
  await database.transaction((tx) => engine.write(tx, 1, { offers }));
});

/** Stores the price of an offer in regions. */
const price = async (offerId: string, discountPrice: number, ...codes: string[]) => {
  const prices = codes.map((code) => ({
    region: asRegion(code),
    originalPrice: 900,
    discountPrice,
    isLowest: false,
    lowestSinceMs: undefined,
    updatedAtMs: undefined,
  }));
  const scope = { offerId, regions: codes.map(asRegion), prices };
  await database.transaction((tx) => storeDocuments(tx, [scope]));
};

/** Prices in a region by offer. */
const pricesIn = async (columns: ColumnsOfGenerations, generation: number, region: Region) =>
  await columns.read(generation, { region, times: [] }, async ({ offers, prices }) =>
    Object.fromEntries(
      [1, 2, 3].map((number) => [offers.ids.get(number), prices?.discounted[number] ?? -1]),
    ),
  );

it("reads only the prices of changed offers and regions again", async () => {
  const asked: [region: string, numbers: unknown][] = [];
  const watched: Queryable = {
    read: (statement, parameters) => database.read(statement, parameters),
    readOne: <Row>(statement: Statement, parameters?: readonly unknown[]) => {
      const text = typeof statement === "string" ? statement : statement.text;
      const region = /from search\.price where region = '(\w+)'/.exec(text)?.[1];
      if (region !== undefined && text.includes("json_agg")) {
        asked.push([region, parameters?.[1] ?? "all"]);
      }
      return database.readOne<Row>(statement, parameters);
    },
    write: (statement, parameters) => database.write(statement, parameters),
  };
  const columns = new ColumnsOfGenerations(watched);
  const cached = ["US", "JP", "EURO"].map(asRegion);
  const pricesNow = () => Promise.all(cached.map((region) => pricesIn(columns, 1, region)));
  for (const offer of ["a", "b", "c"]) await price(offer, 500, ...cached);
  const before = { a: 500, b: 500, c: 500 };
  expect(await pricesNow()).toEqual([before, before, before]);
  expect(asked).toEqual(cached.map((region) => [region, "all"]));

  asked.length = 0;
  await price("a", 400, "US");
  await price("b", 300, "JP", "NO");
  await price("c", 200, "NO");
  const [us, jp] = [
    { ...before, a: 400 },
    { ...before, b: 300 },
  ];
  expect(await pricesNow()).toEqual([us, jp, before]);
  expect(asked).toEqual([
    ["US", [1]],
    ["JP", [2]],
  ]);

  // The next generation shares the prices: none are read.
  asked.length = 0;
  await createPostgresEngine(database).createGeneration(2, { dimensions: undefined });
  await columns.read(2, { region: asRegion("US"), times: [] }, async ({ prices }) => {
    expect(prices?.discounted[1]).toBe(400);
  });
  expect(asked).toEqual([]);
});

it("has a partition for the prices of each initial region, and one for others", async () => {
  const tables = await database.read<{ name: string; bound: string }>(
    `select 'search.' || relname as name, pg_get_expr(relpartbound, oid) as bound
      from pg_class join pg_inherits on inhrelid = oid
      where inhparent = 'search.price'::regclass`,
  );
  const boundOf = new Map(tables.map(({ name, bound }) => [name, bound]));
  for (const { region } of regions) {
    expect(boundOf.get(`search.price_${region.toLowerCase()}`)).toBe(`FOR VALUES IN ('${region}')`);
  }
  expect(tables).toHaveLength(regions.length + 1);
});

it("presents the prices to 0.2.0 as those of a generation, and tolerates its writes and drops", async () => {
  await price("a", 500, "US", "JP");
  const { price: table } = tablesOf(1);
  const seen = async () =>
    await database.read(
      `select offer_id, discounted::int4 as discounted from search.g1_offer as offer
        join ${table}_us as price on price.number = offer.number where not is_lowest`,
    );
  expect(await seen()).toEqual([{ offer_id: "a", discounted: 500 }]);
  await database.write(
    `insert into ${table} as price (region, number, original, discounted, updated_at, is_lowest)
      values ('US', 1, 9, 9, null, false)
      on conflict (number, region) do update set discounted = excluded.discounted`,
  );
  await database.write(`delete from ${table} where number = 1`);
  expect(await seen()).toEqual([{ offer_id: "a", discounted: 500 }]);
  const [ofTables = ""] = dropTables(1).split(";");
  await database.write(ofTables);
  const engine = createPostgresEngine(database);
  await engine.dropGeneration(1);
  expect(await database.read("select from pg_class where relname like 'g1%'")).toEqual([]);
  expect(await database.read("select from search.price where number = 1")).toHaveLength(2);
});
