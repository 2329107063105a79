export { catalogService } from "./catalog-service.ts";
export { catalogMigrations, createCatalogService } from "./create-catalog-service.ts";
export type { CatalogServiceOptions, CatalogServiceParts } from "./create-catalog-service.ts";
