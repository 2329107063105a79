import type { ServiceImpl } from "@connectrpc/connect";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingService } from "@storefront/contracts/pricing/v1/pricing_service";

/** The handlers of the reads, by RPC; what each gives is said in the contract. */
export type PricingHandlers = ServiceImpl<typeof PricingService>;

/** The handlers of the writes, by RPC. */
export type PricingIngestHandlers = ServiceImpl<typeof PricingIngestService>;
