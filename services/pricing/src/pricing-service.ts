import { defineRecordService } from "@storefront/service-process";
import { routes } from "./routes.ts";

/** The pricing service as those see it who run it. */
export const pricingService = defineRecordService({
  name: "pricing",
  migrations: { schema: "pricing", directory: new URL("../migrations", import.meta.url) },
  routes,
});
