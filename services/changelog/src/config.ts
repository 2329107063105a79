import { zLogLevel, zPort, zToken, zUrl } from "@storefront/config";
import { z } from "zod";

/** Environment of the changelog as a process of its own. */
export const zChangelogEnvironment = z.object({
  DATABASE_URL: z.string(),
  DATABASE_DRIVER: z
    .enum(["pglite", "postgres", "neon"], "must be pglite, postgres or neon")
    .optional(),
  CHANGELOG_PORT: zPort.default(4104),
  CHANGELOG_GRPC_PORT: zPort.default(4204),
  /** Connect address of the catalog, whose feed is followed. */
  CATALOG_URL: zUrl.default("http://127.0.0.1:4101"),
  INGEST_TOKEN: zToken,
  LOG_LEVEL: zLogLevel.default("info"),
});
