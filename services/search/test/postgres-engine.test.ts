import { migrate, openDatabase } from "@storefront/database";
import { describeOnEachDatabase } from "@storefront/testkit";
import { createPostgresEngine, searchMigrations } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";

describeOnEachDatabase("search", (testDatabase) => {
  describeEngineContract("postgres", async () => {
    const database = await openDatabase(testDatabase.options());
    await migrate(database, searchMigrations);
    return { engine: createPostgresEngine(database), database, close: () => database.close() };
  });
});
