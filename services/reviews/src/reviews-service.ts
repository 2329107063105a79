import { defineService, logRetentionOf, logRetentionShape } from "@storefront/service-process";
import { reviewsMigrations, createReviewsService } from "./create-reviews-service.ts";

/** The reviews service as those see it who run it. */
export const reviewsService = defineService({
  name: "reviews",
  migrations: reviewsMigrations,
  follows: [],
  shape: logRetentionShape,
  rules: [],
  create: (dependencies, settings) =>
    createReviewsService({ ...dependencies, logRetention: logRetentionOf(settings) }),
});
