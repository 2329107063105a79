import { migrate, openDatabase } from "@storefront/database";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { dropTables, tablesOf } from "../src/engine/postgres/tables.ts";
import type { IndexWrites } from "../src/engine/index-documents.ts";
import { createPostgresEngine, searchMigrations } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";
import { everything } from "./support/generated-searches.ts";
import { offerOf } from "./support/offer-of.ts";

describeOnEachMigratedDatabase("search", (testDatabase) => {
  const isServer = testDatabase.driver === "postgres";
  const options = { searches: isServer ? 300 : 100, realSearches: isServer ? 150 : 0 };
  describeEngineContract("postgres", options, async () => {
    const database = await openDatabase(testDatabase.options());
    await migrate(database, searchMigrations);
    return { engine: createPostgresEngine(database), database, close: () => database.close() };
  });
});

it("finds by text, and takes writes, in an index that 0.2.0 has made", async () => {
  const database = await openDatabase(await memoryDatabase("schemas"));
  try {
    await migrate(database, searchMigrations);
    const engine = createPostgresEngine(database);
    await engine.createGeneration(1, { dimensions: undefined });
    const { text } = tablesOf(1);
    // What 0.2.0 has not.
    await database.write(`alter table ${text} drop column names, drop column type_rank`);
    const offers = [
      offerOf("begun", { title: "Starfalls IV" }),
      offerOf("whole", { title: "Mara's Starfall VI" }),
      offerOf("described", { title: "Other", description: "Unlike Starfall" }),
    ];
    await database.transaction((tx) => engine.write(tx, 1, { offers }));
    await engine.activate(1);
    const search = { region: "US", nowMs: 0, offset: 0, limit: 10, aggregations: [] };
    const order = { key: "relevance", isAscending: false } as const;
    const filter = { ...everything, text: "starfall" };
    const { offerIds } = await engine.searchOffers({ ...search, order, filter });
    expect(offerIds).toEqual(["whole", "begun", "described"]);
  } finally {
    await database.close();
  }
});

it("finds what other processes have written, of whichever release", async () => {
  const database = await openDatabase({ url: "pglite:memory:" });
  try {
    await migrate(database, searchMigrations);
    const [reader, writer] = [createPostgresEngine(database), createPostgresEngine(database)];
    await writer.createGeneration(1, { dimensions: undefined });
    await writer.activate(1);
    const write = (writes: IndexWrites) =>
      database.transaction((tx) => writer.write(tx, 1, writes));
    const price = (discountPrice: number) => ({
      offerId: "a",
      prices: [
        { region: "US", originalPrice: 2 ** 40, discountPrice, isLowest: true, updatedAtMs: 1 },
      ],
    });
    const search = { region: "US", nowMs: 0, offset: 0, limit: 10 };
    const order = { key: "price", isAscending: true } as const;
    const find = async () => {
      const aggregations = ["prices", "offerTypes"] as const;
      const hits = await reader.searchOffers({
        ...search,
        order,
        filter: everything,
        aggregations,
      });
      const { prices, offerTypes = [] } = hits.aggregations;
      return [hits.offerIds, prices?.max, offerTypes.map(({ key }) => key)];
    };
    await write({ offers: [offerOf("a", { offerType: "DLC" })], prices: [price(500)] });
    expect(await find()).toEqual([["a"], 500, ["DLC"]]);
    await write({ offers: [offerOf("b", { offerType: "DEMO" })], prices: [price(2 ** 39)] });
    expect(await find()).toEqual([["a", "b"], 2 ** 39, ["DEMO", "DLC"]]);
    // As 0.2.0 writes.
    const { offer, price: prices } = tablesOf(1);
    await database.write(`delete from ${offer} where offer_id = 'b'`);
    await database.write(`update ${prices} set discounted = 7`);
    expect(await find()).toEqual([["a"], 7, ["DLC"]]);
    // More than is remembered.
    await database.write("delete from search.index_write");
    await write({ prices: [{ offerId: "a", prices: [] }] });
    expect(await find()).toEqual([["a"], undefined, ["DLC"]]);
    await writer.createGeneration(2, { dimensions: undefined });
    await writer.activate(2);
    // As 0.2.0 drops the one before.
    await database.transaction((tx) => tx.script(dropTables(1)));
    expect(await find()).toEqual([[], undefined, []]);
  } finally {
    await database.close();
  }
});
