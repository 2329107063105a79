import { parseEnvironment } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zReviewsConfig } from "./config.ts";
import { createReviewsService } from "./create-reviews-service.ts";

const config = parseEnvironment(zReviewsConfig, process.env);
const logger = createLogger({ service: "reviews", level: config.LOG_LEVEL });
const database = await openDatabase({
  url: config.DATABASE_URL,
  driver: config.DATABASE_DRIVER,
  applicationName: "reviews",
  logger,
});
const server = await serve({
  name: "reviews",
  ...createReviewsService({ database, ingestToken: config.INGEST_TOKEN }),
  port: config.REVIEWS_PORT,
  grpcPort: config.REVIEWS_GRPC_PORT,
  logger,
  metrics: createMetrics({ service: "reviews", processMetrics: true }),
});

async function stop(): Promise<void> {
  await server.close();
  await database.close();
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
