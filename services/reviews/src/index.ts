export { reviewsService } from "./reviews-service.ts";
export { createReviewsService, reviewsMigrations } from "./create-reviews-service.ts";
export type { ReviewsServiceOptions, ReviewsServiceParts } from "./create-reviews-service.ts";
