import { serviceNames } from "@storefront/config";
import type { ServiceName } from "@storefront/config";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import type { ServiceDefinition } from "@storefront/service-process";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";

/** One that is added to the project gets a line here. */
const definitions: Readonly<Record<ServiceName, ServiceDefinition>> = {
  catalog: catalogService,
  pricing: pricingService,
  reviews: reviewsService,
  changelog: changelogService,
  search: searchService,
};

/** Every service, in the order of their start. */
export const services: readonly ServiceDefinition[] = serviceNames.map((name) => definitions[name]);
