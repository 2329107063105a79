import type { ServiceImpl } from "@connectrpc/connect";
import type { CatalogService } from "@storefront/contracts/catalog/v1/catalog_service";

/** The handlers of the reads, by RPC; what each gives is said in the contract. */
export type CatalogHandlers = ServiceImpl<typeof CatalogService>;
