import { defineService, logRetentionOf, logRetentionShape } from "@storefront/service-process";
import { catalogMigrations, createCatalogService } from "./create-catalog-service.ts";

/** The catalog service as those see it who run it. */
export const catalogService = defineService({
  name: "catalog",
  migrations: catalogMigrations,
  follows: [],
  shape: logRetentionShape,
  rules: [],
  create: (dependencies, settings) =>
    createCatalogService({ ...dependencies, logRetention: logRetentionOf(settings) }),
});
