import type { ServiceImpl } from "@connectrpc/connect";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database } from "@storefront/database";
import { ingestHandler } from "@storefront/ingest";
import type { Metrics } from "@storefront/telemetry";
import { pricingKinds } from "../kinds/pricing-kinds.ts";

/** Takes batches of prices and giveaways; each is one transaction. */
export function ingestPricing({
  database,
  metrics,
}: {
  database: Database;
  /** Where batches are counted; default nowhere. */
  metrics: Metrics | undefined;
}): ServiceImpl<typeof PricingIngestService>["ingestPricing"] {
  return ingestHandler({ database, schema: "pricing", kinds: pricingKinds, metrics });
}
