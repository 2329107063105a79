export { pricingService } from "./pricing-service.ts";
export { createPricingService, pricingMigrations } from "./create-pricing-service.ts";
export type { PricingServiceOptions, PricingServiceParts } from "./create-pricing-service.ts";
