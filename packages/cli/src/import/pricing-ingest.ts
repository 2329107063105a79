import { createClient } from "@connectrpc/connect";
import { GiveawaySchema } from "@storefront/contracts/pricing/v1/giveaway";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { PricingObservation } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { IngestService } from "./ingest-service.ts";
import { kindOf } from "./kind-of.ts";

type RecordCase = PricingObservation["record"];

/** Prices and giveaways over `PricingIngestService`. */
export const pricingIngest: IngestService<RecordCase> = {
  name: "pricing",
  kinds: {
    price: kindOf(OfferPriceSchema, (value) => ({ case: "price", value })),
    giveaway: kindOf(GiveawaySchema, (value) => ({ case: "giveaway", value })),
  },
  ingest: (transport, batches, options) =>
    createClient(PricingIngestService, transport).ingestPricing(batches, options),
};
