export { catalogMigrations, createCatalogService } from "./create-catalog-service.ts";
export type { CatalogServiceOptions, CatalogServiceParts } from "./create-catalog-service.ts";
