import { migrate, openDatabase } from "@storefront/database";
import { createBatchApplier } from "@storefront/ingest";
import { describeHostileBatches } from "@storefront/testkit/describe-hostile-batches";
import * as fc from "fast-check";
import { pricingService } from "../src/pricing-service.ts";
import { pricingKinds } from "../src/kinds/pricing-kinds.ts";

const apply = createBatchApplier("pricing", pricingKinds);
const tables = pricingKinds
  .map(({ table }) => table)
  .concat("pricing.price_history", "pricing.tombstone", "pricing.change_log");

describeHostileBatches({
  kinds: pricingKinds,
  vocabularies: {
    region: fc.constantFrom("US", "MX2", "us"),
  },
  open: async (options) => {
    const database = await openDatabase(options);
    await migrate(database, pricingService.migrations);
    return {
      empty: () => database.write(`truncate ${tables.join(", ")}`),
      apply: (batch) => apply(database, batch),
      close: () => database.close(),
    };
  },
});
