import type { ServiceImpl } from "@connectrpc/connect";
import {
  ExportReviewsResponseSchema,
  ReviewsObservationSchema,
} from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { Database } from "@storefront/database";
import { exportBatches } from "@storefront/ingest";
import { reviewKinds } from "../review-kind.ts";

export function exportReviews(deps: {
  database: Database;
}): ServiceImpl<typeof ReviewsIngestService>["exportReviews"] {
  return () =>
    exportBatches({
      database: deps.database,
      schema: "reviews",
      kinds: reviewKinds,
      observationSchema: ReviewsObservationSchema,
      responseSchema: ExportReviewsResponseSchema,
    });
}
