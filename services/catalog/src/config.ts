import { zLogLevel, zPort, zToken } from "@storefront/config";
import { z } from "zod";

/** The environment of a catalog service that runs in a process of its own. */
export const zCatalogEnvironment = z.object({
  /** `postgres://…`, `neon://…` or `pglite:<directory>`. */
  DATABASE_URL: z.string(),
  /** Overrides the driver that the URL implies. */
  DATABASE_DRIVER: z.enum(["pglite", "postgres", "neon"]).optional(),
  CATALOG_PORT: zPort.default(4101),
  CATALOG_GRPC_PORT: zPort.default(4201),
  INGEST_TOKEN: zToken,
  LOG_LEVEL: zLogLevel.default("info"),
});
