import { zLogLevel, zPort, zToken } from "@storefront/config";
import { z } from "zod";

/** The environment of a pricing service that runs in a process of its own. */
export const zPricingEnvironment = z.object({
  /** `postgres://…`, `neon://…` or `pglite:<directory>`. */
  DATABASE_URL: z.string(),
  /** Overrides the driver that the URL implies. */
  DATABASE_DRIVER: z.enum(["pglite", "postgres", "neon"]).optional(),
  PRICING_PORT: zPort.default(4102),
  PRICING_GRPC_PORT: zPort.default(4202),
  INGEST_TOKEN: zToken,
  LOG_LEVEL: zLogLevel.default("info"),
});
