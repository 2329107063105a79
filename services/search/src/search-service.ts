import { defineService } from "@storefront/service-process";
import { searchRules, searchShape } from "./config.ts";
import { createSearchService, searchMigrations } from "./create-search-service.ts";
import { searchBackendsOf } from "./search-backends.ts";

/** The search service as those see it who run it. */
export const searchService = defineService({
  name: "search",
  migrations: searchMigrations,
  follows: ["catalog", "pricing", "changelog"],
  shape: searchShape,
  rules: searchRules,
  create({ transportTo, ...dependencies }, settings) {
    const search = createSearchService({
      ...dependencies,
      ...searchBackendsOf(settings),
      catalog: transportTo("catalog"),
      pricing: transportTo("pricing"),
      changelog: transportTo("changelog"),
    });
    return {
      services: search.services,
      readiness: search.readiness,
      startIndexing: () => search.start(),
      close: () => search.close(),
    };
  },
});
