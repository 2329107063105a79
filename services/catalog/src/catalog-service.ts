import { defineRecordService } from "@storefront/service-process";
import { routes } from "./routes.ts";

/** The catalog service as those see it who run it. */
export const catalogService = defineRecordService({
  name: "catalog",
  migrations: { schema: "catalog", directory: new URL("../migrations", import.meta.url) },
  routes,
});
