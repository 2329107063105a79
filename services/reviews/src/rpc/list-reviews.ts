import {
  ListReviewsRequestSchema,
  ListReviewsResponseSchema,
} from "@storefront/contracts/reviews/v1/reviews_service";
import { encodedOf, pageOf } from "@storefront/rpc";
import type { ReviewStore } from "../store/review-store.ts";
import type { ReviewsHandlers } from "./handlers.ts";

export function listReviews(deps: { reviews: ReviewStore }): ReviewsHandlers["listReviews"] {
  return async (request) => {
    const { offerId, verified } = request;
    const range = pageOf(ListReviewsRequestSchema, request);

    const { reviews, totalSize } = await deps.reviews.list({ offerId, verified, ...range });
    return encodedOf(ListReviewsResponseSchema, { reviews, totalSize });
  };
}
