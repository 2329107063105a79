import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import type { ServiceDefinition } from "@storefront/service-process";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";

/** Every service, in the order of their start; one that is added to the project gets a line here. */
export const services: readonly ServiceDefinition[] = [
  catalogService,
  pricingService,
  reviewsService,
  changelogService,
  searchService,
];
