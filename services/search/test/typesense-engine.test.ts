import { migrate, openDatabase } from "@storefront/database";
import { memoryDatabase } from "@storefront/testkit";
import { startTypesenseDouble } from "@storefront/typesense-double";
import { createTypesenseEngine, searchService } from "../src/index.ts";
import { describeEngineContract } from "./engine-contract.ts";

const { TYPESENSE_URL: url, TYPESENSE_API_KEY: apiKey = "" } = process.env;

// The double looks at every document for every search.
const options = { searches: 300, realSearches: 40, choosesTies: true };
describeEngineContract("typesense", options, async () => {
  const double = url === undefined ? await startTypesenseDouble({ apiKey: "k" }) : undefined;
  const database = await openDatabase(await memoryDatabase("schemas"));
  await migrate(database, searchService.migrations);
  const engine = createTypesenseEngine({
    url: double?.url ?? url ?? "",
    apiKey: double?.apiKey ?? apiKey,
    // The double is slow on purpose.
    timeoutMs: 30_000,
    prefix: `test_${process.pid}`,
  });
  return {
    engine,
    database,
    close: async () => {
      await engine.dropGeneration((await engine.liveGeneration()) ?? 1);
      await engine.close();
      await double?.close();
      await database.close();
    },
  };
});
