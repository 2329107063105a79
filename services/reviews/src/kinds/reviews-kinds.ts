import { timestampDate } from "@bufbuild/protobuf/wkt";
import { ReviewSchema } from "@storefront/contracts/reviews/v1/review";
import type { RecordKind } from "@storefront/ingest";

/** Reviews of offers. */
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
export const reviewsKinds: readonly RecordKind[] = [reviewKind];
