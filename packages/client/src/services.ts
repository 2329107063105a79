// For services: the contract's messages and services, and clients of them.
export {
  createCatalogServiceClient,
  createChangelogServiceClient,
  createFeedServiceClient,
  createPricingServiceClient,
  createReviewsServiceClient,
  createSearchServiceClient,
} from "./services/create-clients.ts";
export { errorDetailsOf } from "./services/error-details-of.ts";
export type { ErrorDetails } from "./services/error-details-of.ts";

export * from "@storefront/contracts/catalog/v1/age_rating";
export * from "@storefront/contracts/catalog/v1/asset";
export * from "@storefront/contracts/catalog/v1/build";
export * from "@storefront/contracts/catalog/v1/catalog_service";
export * from "@storefront/contracts/catalog/v1/item";
export * from "@storefront/contracts/catalog/v1/offer";
export * from "@storefront/contracts/catalog/v1/offer_details";
export * from "@storefront/contracts/catalog/v1/offer_text";
export * from "@storefront/contracts/catalog/v1/ranking";
export * from "@storefront/contracts/catalog/v1/sandbox";
export * from "@storefront/contracts/catalog/v1/tag";
export * from "@storefront/contracts/changelog/v1/changelog_service";
export * from "@storefront/contracts/changelog/v1/entry";
export * from "@storefront/contracts/feed/v1/feed_service";
export * from "@storefront/contracts/health/v1/health_service";
export * from "@storefront/contracts/pricing/v1/giveaway";
export * from "@storefront/contracts/pricing/v1/offer_price";
export * from "@storefront/contracts/pricing/v1/pricing_service";
export * from "@storefront/contracts/reviews/v1/review";
export * from "@storefront/contracts/reviews/v1/reviews_service";
export * from "@storefront/contracts/search/v1/offer_query";
export * from "@storefront/contracts/search/v1/search_service";
export * from "@storefront/contracts/type/v1/change";
export * from "@storefront/contracts/type/v1/error_reason";
export * from "@storefront/contracts/type/v1/image";
export * from "@storefront/contracts/type/v1/observation";
export * from "@storefront/contracts/type/v1/price";
