import { migrate, openDatabase } from "@storefront/database";
import { createBatchApplier } from "@storefront/ingest";
import { describeHostileBatches } from "@storefront/testkit/describe-hostile-batches";
import * as fc from "fast-check";
import { catalogService } from "../src/catalog-service.ts";
import { catalogKinds } from "../src/kinds/catalog-kinds.ts";

const apply = createBatchApplier("catalog", catalogKinds);
const tables = catalogKinds
  .map(({ table }) => table)
  .concat("catalog.tombstone", "catalog.change_log");

describeHostileBatches({
  kinds: catalogKinds,
  vocabularies: {
    locale: fc.constantFrom("de", "fr", "zh-Hant-TW", "de_DE"),
    nullMembers: fc.subarray(["seller", "tags", "title"]),
  },
  open: async (options) => {
    const database = await openDatabase(options);
    await migrate(database, catalogService.migrations);
    return {
      empty: () => database.write(`truncate ${tables.join(", ")}`),
      apply: (batch) => apply(database, batch),
      close: () => database.close(),
    };
  },
});
