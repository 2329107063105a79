import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";

/** The handlers of the catalog's reads, by RPC. */
export type CatalogHandlers = ServiceImpl<typeof CatalogService>;
