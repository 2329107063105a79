import { migrate, openDatabase } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { createPostgresEngine, searchMigrations } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";

describeOnEachDatabase("search", (testDatabase) => {
  const isServer = testDatabase.driver === "postgres";
  const options = { searches: isServer ? 300 : 100, realSearches: isServer ? 150 : 0 };
  describeEngineContract("postgres", options, async () => {
    const database = await openDatabase(testDatabase.options());
    await migrate(database, searchMigrations);
    return { engine: createPostgresEngine(database), database, close: () => database.close() };
  });
});
