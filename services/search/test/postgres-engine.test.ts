import { create, toBinary } from "@bufbuild/protobuf";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { defaultRegion } from "@storefront/domain/regions";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { expect, it, onTestFinished } from "vitest";
import { dropTables, tablesOf } from "../src/engine/postgres/tables.ts";
import type { SearchEngine } from "../src/engine/search-engine.ts";
import { offerTable, storeSources } from "../src/store/source-tables.ts";
import type { SourceOffer } from "../src/store/source-tables.ts";
import type { IndexWrites } from "../src/engine/index-documents.ts";
import { createPostgresEngine, searchService } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";
import { everything } from "../src/domain/offer-filter.ts";
import { offerOf } from "./support/offer-of.ts";
import { withStoredPrices } from "./support/stored-prices.ts";
import { namesakes, namesakeTitle } from "./text-contract.ts";

describeOnEachMigratedDatabase("search", (testDatabase) => {
  const searches = testDatabase.driver === "postgres" ? 300 : 100;
  const options = { searches, needsPgvector: true };
  describeEngineContract("postgres", options, async () => {
    const database = await openDatabase(testDatabase.options());
    await migrate(database, searchService.migrations);
    const engine = withRecords(withStoredPrices(createPostgresEngine(database), database));
    return { engine, database, close: () => database.close() };
  });
});

/** Stores the records of offers with their documents, as the service does. */
function withRecords(engine: SearchEngine): SearchEngine {
  return {
    ...engine,
    write: async (tx, generation, writes) => {
      const { offers = [], removedOffers = [] } = writes;
      const sources = offers.map(({ offerId: id, title, description }): SourceOffer => {
        const texts = { ...(title && { title }), ...(description && { description }) };
        const record = toBinary(OfferSchema, create(OfferSchema, { id, ...texts }));
        return { id, namespace: undefined, itemIds: [], record };
      });
      if (tx !== undefined) await storeSources(tx, offerTable, sources, removedOffers);
      return await engine.write(tx, generation, writes);
    },
  };
}

it("finds by text, also later writes, in an index that 0.2.0 has built", async () => {
  const database = await openDatabase(await memoryDatabase("schemas"));
  try {
    await migrate(database, searchService.migrations);
    const engine = createPostgresEngine(database);
    await engine.createGeneration(1, { dimensions: undefined });
    await downgradeTo020(database, 1);
    const write = (writes: IndexWrites) =>
      database.transaction((tx) => engine.write(tx, 1, writes));
    const offers = [
      offerOf("begun", { title: "Starfalls IV" }),
      offerOf("whole", { title: "Mara's Starfall VI" }),
      offerOf("described", { title: "Other", description: "Unlike Starfall" }),
    ];
    await write({ offers });
    await database.write("insert into search.live_generation (generation) values (1)");
    const search = { region: defaultRegion, nowMs: 0, offset: 0, limit: 10, aggregations: [] };
    const order = { key: "relevance", isAscending: false } as const;
    const filter = { ...everything, text: "starfall" };
    const find = async () => (await engine.searchOffers({ ...search, order, filter })).offerIds;
    expect(await find()).toEqual(["whole", "begun", "described"]);
    await write({ offers: [offerOf("new", { title: "Starfall" })], removedOffers: ["begun"] });
    expect(await find()).toEqual(["new", "whole", "described"]);
    // Activating the live generation again changes nothing.
    await database.transaction((tx) => engine.activate(tx, 1));
    await write({ removedOffers: ["new"] });
    expect(await find()).toEqual(["whole", "described"]);
  } finally {
    await database.close();
  }
});

it("ranks whole words before prefixes, and a game before its add-ons and namesakes", async () => {
  const { database, engine } = await openIndex();
  await database.transaction((tx) => engine.write(tx, 1, { offers: namesakes }));
  const find = async (text: string) => {
    const search = { region: defaultRegion, nowMs: 0, offset: 0, limit: 10, aggregations: [] };
    const order = { key: "relevance", isAscending: false } as const;
    const filter = { ...everything, text };
    return (await engine.searchOffers({ ...search, order, filter })).offerIds;
  };
  const others = ["edition", "a namesake", "an upgrade"];
  expect(await find("starfall")).toEqual(["game", "pack", ...others, "longer"]);
  expect(await find("starfal")).toEqual(["longer", "game", "pack", ...others]);
  expect(await find("maras starfall vi")).toEqual(["game", ...others]);
  expect(await find(namesakeTitle)).toEqual(["game", "a namesake", "edition", "an upgrade"]);
});

it("searches an index that was built before a field existed, and continues to write it", async () => {
  const { database, engine } = await openIndex();
  await database.write(`alter table ${tablesOf(1).offer} drop column viewable_date`);
  const dates = (day: number) => ({ viewableDateMs: -day, creationDateMs: day });
  const offers = [offerOf("a", dates(1)), offerOf("b", dates(2))];
  await database.transaction((tx) => engine.write(tx, 1, { offers }));
  const find = async (key: "viewableDate" | "creationDate") => {
    const search = { filter: everything, region: defaultRegion, nowMs: 0, aggregations: [] };
    const order = { key, isAscending: false };
    return (await engine.searchOffers({ ...search, order, offset: 0, limit: 10 })).offerIds;
  };
  expect(await find("creationDate")).toEqual(["b", "a"]);
  // Missing values are ordered by id.
  expect(await find("viewableDate")).toEqual(["a", "b"]);
});

/** A database with an empty live index, until the test ends. */
async function openIndex() {
  const database = await openDatabase({ url: "pglite:memory:" });
  onTestFinished(() => database.close());
  await migrate(database, searchService.migrations);
  const engine = createPostgresEngine(database);
  await engine.createGeneration(1, { dimensions: undefined });
  await database.transaction((tx) => engine.activate(tx, 1));
  return { database, engine };
}

/** Changes the tables of a generation to those of 0.2.0. */
async function downgradeTo020(database: Database, generation: number): Promise<void> {
  const { offer, price } = tablesOf(generation);
  for (const table of [offer, price]) {
    for (const kind of ["insert", "update", "delete"]) {
      await database.write(`drop trigger noted_${kind} on ${table}`);
    }
  }
}

it("finds writes of other processes, and those of 0.2.0 to offers of a present index", async () => {
  const database = await openDatabase({ url: "pglite:memory:" });
  try {
    await migrate(database, searchService.migrations);
    const reader = createPostgresEngine(database);
    const writer = withStoredPrices(createPostgresEngine(database), database);
    await writer.createGeneration(1, { dimensions: undefined });
    await database.transaction((tx) => writer.activate(tx, 1));
    const write = (writes: IndexWrites) =>
      database.transaction((tx) => writer.write(tx, 1, writes));
    const price = (discountPrice: number) => ({
      offerId: "a",
      prices: [
        {
          region: defaultRegion,
          originalPrice: 2 ** 40,
          discountPrice,
          isLowest: true,
          lowestSinceMs: undefined,
          updatedAtMs: 1,
        },
      ],
    });
    const search = { region: defaultRegion, nowMs: 0, offset: 0, limit: 10 };
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
    // A write of 0.2.0.
    const { offer } = tablesOf(1);
    await database.write(`delete from ${offer} where offer_id = 'b'`);
    expect(await find()).toEqual([["a"], 2 ** 39, ["DLC"]]);
    // More changes than are read singly, and an unrecorded one: all is read.
    await database.write(`alter table ${offer} disable trigger user`);
    await database.write(`update ${offer} set facets = '{}'`);
    await database.write(`alter table ${offer} enable trigger user`);
    await database.write(`insert into search.index_write (generation, offers, prices)
      select 1, array_agg(number), '{}' from generate_series(1000, 101000) as number`);
    expect(await find()).toEqual([["a"], 2 ** 39, []]);
    // The records of the writes are deleted: all is read.
    await database.write("delete from search.index_write");
    await write({ prices: [{ offerId: "a", prices: [] }] });
    expect(await find()).toEqual([["a"], undefined, []]);
    await writer.createGeneration(2, { dimensions: undefined });
    await database.transaction((tx) => writer.activate(tx, 2));
    // 0.2.0 drops the previous one.
    await database.transaction((tx) => tx.script(dropTables(1)));
    expect(await find()).toEqual([[], undefined, []]);
    // The next generation of this release deletes its records of writes.
    await writer.createGeneration(3, { dimensions: undefined });
    expect(await database.read("select from search.index_write where generation = 1")).toEqual([]);
  } finally {
    await database.close();
  }
});
