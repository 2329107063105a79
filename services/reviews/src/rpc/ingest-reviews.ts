import type { ServiceImpl } from "@connectrpc/connect";
import type { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { Database } from "@storefront/database";
import { ingestHandler } from "@storefront/ingest";
import type { Metrics } from "@storefront/telemetry";
import { reviewKinds } from "../review-kind.ts";

export function ingestReviews(deps: {
  database: Database;
  /** Where batches are counted; default nowhere. */
  metrics: Metrics | undefined;
}): ServiceImpl<typeof ReviewsIngestService>["ingestReviews"] {
  return ingestHandler({ ...deps, schema: "reviews", kinds: reviewKinds });
}
