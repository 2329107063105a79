import { describeHostileBatches } from "@storefront/ingest/test/describe-hostile-batches";
import * as fc from "fast-check";
import { pricingMigrations } from "../src/index.ts";
import { pricingKinds } from "../src/kinds/pricing-kinds.ts";

describeHostileBatches({
  kinds: pricingKinds,
  migrations: pricingMigrations,
  vocabularies: { region: fc.constantFrom("US", "MX2", "us") },
  otherTables: ["pricing.price_history"],
});
