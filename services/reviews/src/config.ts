import { zLogLevel, zPort, zToken } from "@storefront/config";
import { z } from "zod";

/** Environment of the reviews as a process of their own. */
export const zReviewsEnvironment = z.object({
  DATABASE_URL: z.string(),
  DATABASE_DRIVER: z
    .enum(["pglite", "postgres", "neon"], "must be pglite, postgres or neon")
    .optional(),
  REVIEWS_PORT: zPort.default(4103),
  REVIEWS_GRPC_PORT: zPort.default(4203),
  INGEST_TOKEN: zToken,
  LOG_LEVEL: zLogLevel.default("info"),
});
