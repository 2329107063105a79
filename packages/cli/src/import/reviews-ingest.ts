import { createClient } from "@connectrpc/connect";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import { ReviewsIngestService } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { ReviewsObservation } from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import type { IngestService } from "./ingest-service.ts";
import { kindOf } from "./kind-of.ts";

type RecordCase = ReviewsObservation["record"];

/** Reviews over `ReviewsIngestService`. */
export const reviewsIngest: IngestService<RecordCase> = {
  name: "reviews",
  kinds: {
    review: kindOf(ReviewSchema, (value) => ({ case: "review", value })),
  },
  ingest: (transport, batches, options) =>
    createClient(ReviewsIngestService, transport).ingestReviews(batches, options),
};
