import { describeHostileBatches } from "@storefront/ingest/test/describe-hostile-batches";
import * as fc from "fast-check";
import { catalogMigrations } from "../src/index.ts";
import { catalogKinds } from "../src/kinds/catalog-kinds.ts";

describeHostileBatches({
  kinds: catalogKinds,
  migrations: catalogMigrations,
  vocabularies: {
    locale: fc.constantFrom("de", "fr", "zh-Hant-TW", "de_DE"),
    nullMembers: fc.subarray(["seller", "tags", "title"]),
  },
});
