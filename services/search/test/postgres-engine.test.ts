import { migrate, openDatabase } from "@storefront/database";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { expect, it } from "vitest";
import { tablesOf } from "../src/engine/postgres/tables.ts";
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
