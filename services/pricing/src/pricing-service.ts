import { defineService, logRetentionOf, logRetentionShape } from "@storefront/service-process";
import { pricingMigrations, createPricingService } from "./create-pricing-service.ts";

/** The pricing service as those see it who run it. */
export const pricingService = defineService({
  name: "pricing",
  migrations: pricingMigrations,
  follows: [],
  shape: logRetentionShape,
  rules: [],
  create: (dependencies, settings) =>
    createPricingService({ ...dependencies, logRetention: logRetentionOf(settings) }),
});
