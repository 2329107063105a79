import type { ServiceImpl } from "@connectrpc/connect";
import type { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { Database } from "@storefront/database";
import { ingestHandler } from "@storefront/ingest";
import { reviewKinds } from "../review-kind.ts";

export function ingestReviews(deps: {
  database: Database;
}): ServiceImpl<typeof ReviewsIngestService>["ingestReviews"] {
  return ingestHandler({ database: deps.database, schema: "reviews", kinds: reviewKinds });
}
