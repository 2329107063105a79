import { defineRecordService } from "@storefront/service-process";
import { routes } from "./routes.ts";

/** The reviews service as those see it who run it. */
export const reviewsService = defineRecordService({
  name: "reviews",
  migrations: { schema: "reviews", directory: new URL("../migrations", import.meta.url) },
  routes,
});
