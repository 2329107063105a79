import { CommitSignal, provideFeed } from "@storefront/change-feed";
import {
  ReviewsIngestService,
  ReviewsObservationSchema,
  ExportReviewsResponseSchema,
} from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import {
  currentRecords,
  everythingStored,
  exportHandler,
  forgetHandler,
  ingestHandler,
  recordsWithPast,
} from "@storefront/ingest";
import { databaseProbe, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import type { RouteDependencies } from "@storefront/service-process";
import { listReviews } from "./rpc/list-reviews.ts";
import { reviewsKinds } from "./kinds/reviews-kinds.ts";
import { ReviewStore } from "./store/review-store.ts";

/** Every service of the reviews with its handlers. */
export function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const records = {
    database,
    schema: "reviews",
    kinds: reviewsKinds,
    commits: new CommitSignal(),
    metrics,
  };
  return [
    provide(ReviewsService, {
      listReviews: listReviews({ reviews: new ReviewStore(database) }),
    }),
    provide(
      ReviewsIngestService,
      {
        ingestReviews: ingestHandler(records),
        exportReviews: exportHandler(records, {
          observationSchema: ReviewsObservationSchema,
          responseSchema: ExportReviewsResponseSchema,
        }),
        forgetRecord: forgetHandler(records),
      },
      { tokens: ingestTokens },
    ),
    provideFeed({
      ...records,
      records: currentRecords(database, reviewsKinds),
      recordsWithPast: recordsWithPast(reviewsKinds, () => everythingStored(records)),
    }),
    provideHealth([databaseProbe(database)]),
  ];
}
