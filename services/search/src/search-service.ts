import { defineService } from "@storefront/service-process";
import { searchRules, searchShape } from "./config.ts";
import { createSearchService, searchMigrations } from "./create-search-service.ts";
import { searchBackendsOf } from "./search-backends.ts";

export const searchService = defineService({
  name: "search",
  migrations: searchMigrations,
  shape: searchShape,
  rules: searchRules,
  indexes: true,
  create: (dependencies, settings) =>
    createSearchService({ ...dependencies, ...searchBackendsOf(settings) }),
});
