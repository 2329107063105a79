import { timestampDate } from "@bufbuild/protobuf/wkt";
import { CommitSignal, provideFeed } from "@storefront/change-feed";
import {
  ReviewsIngestService,
  ReviewsObservationSchema,
  ExportReviewsResponseSchema,
} from "@storefront/contracts/reviews/v1/reviews_ingest_service";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import {
  ListReviewsRequestSchema,
  ListReviewsResponseSchema,
  ReviewsService,
} from "@storefront/contracts/reviews/v1/reviews_service";
import {
  currentRecords,
  everythingStored,
  exportHandler,
  forgetHandler,
  ingestHandler,
  recordsWithPast,
} from "@storefront/ingest";
import type { RecordKind } from "@storefront/ingest";
import { databaseProbe, encodedOf, pageOf, provide, provideHealth } from "@storefront/rpc";
import type { ProvidedService } from "@storefront/rpc";
import { defineRecordService } from "@storefront/service-process";
import type { RouteDependencies } from "@storefront/service-process";
import { ReviewStore } from "./store/review-store.ts";

const reviewKind: RecordKind<typeof ReviewSchema> = {
  name: "review",
  schema: ReviewSchema,
  table: "reviews.review",
  columns: [
    { name: "offer_id", type: "text", value: ({ offerId }) => offerId },
    { name: "is_verified", type: "boolean", value: ({ verified }) => verified ?? false },
    {
      name: "created_at",
      type: "timestamptz",
      value: ({ createdAt }) => createdAt && timestampDate(createdAt),
    },
  ],
};

/**
 * Every kind of record that the service owns. The SQL that writes them is that of all services:
 * `packages/ingest/src/apply/store-key-states.ts`.
 */
const reviewsKinds: readonly RecordKind[] = [reviewKind];

export const reviewsService = defineRecordService({
  name: "reviews",
  migrations: { schema: "reviews", directory: new URL("../migrations", import.meta.url) },
  routes,
});

function routes({ database, ingestTokens, metrics }: RouteDependencies): ProvidedService[] {
  const records = {
    database,
    schema: "reviews",
    kinds: reviewsKinds,
    commits: new CommitSignal(),
    metrics,
  };
  const store = new ReviewStore(database);
  return [
    provide(ReviewsService, {
      async listReviews(request) {
        const { offerId, verified } = request;
        const range = pageOf(ListReviewsRequestSchema, request);

        const { reviews, totalSize } = await store.list({ offerId, verified, ...range });
        return encodedOf(ListReviewsResponseSchema, { reviews, totalSize });
      },
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
