import { serviceNames } from "@storefront/config";
import type { ServiceName } from "@storefront/config";
import type { ServiceDefinition } from "@storefront/service-process";

/** One that is added to the project gets a line here. */
const definitions: Readonly<Record<ServiceName, () => Promise<ServiceDefinition>>> = {
  catalog: async () => (await import("@storefront/service-catalog")).catalogService,
  pricing: async () => (await import("@storefront/service-pricing")).pricingService,
  reviews: async () => (await import("@storefront/service-reviews")).reviewsService,
  changelog: async () => (await import("@storefront/service-changelog")).changelogService,
  search: async () => (await import("@storefront/service-search")).searchService,
};

/** Loads the code of one service and no other. */
export async function loadService(name: ServiceName): Promise<ServiceDefinition> {
  return await definitions[name]();
}

/** Loads these services; default every one, in the order of their start. */
export async function loadServices(
  names: readonly ServiceName[] = serviceNames,
): Promise<ServiceDefinition[]> {
  return await Promise.all(names.map(loadService));
}
