import type { ServiceImpl } from "@connectrpc/connect";
import type { CommitSignal } from "@storefront/change-feed";
import type { PricingIngestService } from "@storefront/contracts/pricing/v1/pricing_ingest_service";
import type { Database } from "@storefront/database";
import { forgetHandler } from "@storefront/ingest";
import { pricingKinds } from "../kinds/pricing-kinds.ts";

export function forgetRecord(deps: {
  database: Database;
  /** Told when it was committed. */
  commits: CommitSignal;
}): ServiceImpl<typeof PricingIngestService>["forgetRecord"] {
  return forgetHandler({ ...deps, schema: "pricing", kinds: pricingKinds });
}
