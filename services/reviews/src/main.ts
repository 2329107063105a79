import { parseEnvironment, startProcess } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zReviewsEnvironment } from "./config.ts";
import { createReviewsService } from "./create-reviews-service.ts";

await startProcess(async () => {
  const config = parseEnvironment(zReviewsEnvironment, process.env);
  const logger = createLogger({ service: "reviews", level: config.LOG_LEVEL });
  const database = await openDatabase({
    url: config.DATABASE_URL,
    driver: config.DATABASE_DRIVER,
    applicationName: "reviews",
    logger,
  });
  const server = await serve({
    name: "reviews",
    port: config.REVIEWS_PORT,
    grpcPort: config.REVIEWS_GRPC_PORT,
    logger,
    metrics: createMetrics({ service: "reviews", processMetrics: true }),
    ...createReviewsService({ database, ingestToken: config.INGEST_TOKEN, logger }),
  });

  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void server.close().then(() => database.close()));
  }
});
