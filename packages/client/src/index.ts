export type { CatalogClientOptions, HeaderSource } from "./catalog-client-options.ts";
export { CatalogError } from "./catalog-error.ts";
export type { CatalogErrorCode } from "./catalog-error.ts";
export type { CatalogFetch, CatalogRequest, CatalogResponse } from "./catalog-fetch.ts";
export type {
  CatalogErrorShape,
  CatalogInputs,
  CatalogOutputs,
  CatalogRouter,
  GatewayErrorCode,
} from "./catalog-router.ts";
export { createCatalogClient } from "./create-catalog-client.ts";
export type { CatalogClient } from "./create-catalog-client.ts";
export { degradedOf } from "./degraded.ts";
export type * from "./gen/catalog-operations.ts";
export { formatMoney, majorUnits } from "./money.ts";
export type { Money } from "./money.ts";
export { retryCatalogErrors } from "./retry-catalog-errors.ts";
export { watchEntries } from "./watch-entries.ts";
export type { WatchEntriesOptions } from "./watch-entries.ts";
export { watchPriceChanges } from "./watch-price-changes.ts";
export type { WatchPriceChangesOptions } from "./watch-price-changes.ts";
export { watchQuery } from "./watch-query.ts";
export type { QueryEvent, WatchQueryOptions } from "./watch-query.ts";
