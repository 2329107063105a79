import type { ServiceImpl } from "@connectrpc/connect";
import {
  ListReviewsRequestSchema,
  ListReviewsResponseSchema,
} from "@storefront/contracts/reviews/v1/reviews_service";
import type { ReviewsService } from "@storefront/contracts/reviews/v1/reviews_service";
import { encoded, EncodedWriter, pageOf } from "@storefront/rpc";
import type { ReviewStore } from "../store/review-store.ts";

const fields = ListReviewsResponseSchema.field;

export function listReviews(deps: {
  reviews: ReviewStore;
}): ServiceImpl<typeof ReviewsService>["listReviews"] {
  return async (request) => {
    const { offerId, verified } = request;
    const range = pageOf(ListReviewsRequestSchema, request);

    const { reviews, totalSize } = await deps.reviews.list({ offerId, verified, ...range });
    return encoded(
      ListReviewsResponseSchema,
      new EncodedWriter()
        .messages(fields.reviews.number, reviews)
        .varint(fields.totalSize.number, totalSize)
        .finish(),
    );
  };
}
