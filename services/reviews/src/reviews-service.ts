import { create, toBinary } from "@bufbuild/protobuf";
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
  RatingsSchema,
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
import type { RatingsRow } from "./store/review-store.ts";

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
 * Every kind of record that the service owns. The SQL that writes them is shared by all services:
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

        const [{ reviews, totalSize }, [rated]] = await Promise.all([
          store.list({ offerId, verified, ...range }),
          store.ratings([offerId], verified),
        ]);
        const ratings = rated ? ratingsOf(rated) : { offerId, histogram: noRatings };
        return encodedOf(ListReviewsResponseSchema, {
          reviews,
          totalSize,
          ratings: toBinary(RatingsSchema, create(RatingsSchema, ratings)),
        });
      },
      async batchGetRatings({ offerIds }) {
        return { ratings: (await store.ratings(offerIds, undefined)).map(ratingsOf) };
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

const noRatings = Array.from({ length: 10 }, () => 0n);

function ratingsOf({ offer_id: offerId, count, average, histogram }: RatingsRow) {
  return { offerId, count, average, histogram };
}
