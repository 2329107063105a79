import { migrate, openDatabase } from "@storefront/database";
import { describeWithTypesense, memoryDatabase } from "@storefront/testkit";
import { createTypesenseEngine, searchService } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";

describeWithTypesense("the engine", (typesense) => {
  const options = { searches: 300, choosesTies: true };
  describeEngineContract("typesense", options, async () => {
    const database = await openDatabase(await memoryDatabase("schemas"));
    await migrate(database, searchService.migrations);
    // A busy machine is slow.
    const engine = createTypesenseEngine({ ...typesense.address(), timeoutMs: 30_000 });
    return {
      engine,
      database,
      close: async () => {
        await engine.close();
        await database.close();
      },
    };
  });
});
