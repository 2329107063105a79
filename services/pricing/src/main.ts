import { parseEnvironment, startProcess } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zPricingEnvironment } from "./config.ts";
import { createPricingService } from "./create-pricing-service.ts";

await startProcess(async () => {
  const config = parseEnvironment(zPricingEnvironment, process.env);
  const logger = createLogger({ service: "pricing", level: config.LOG_LEVEL });
  const database = await openDatabase({
    url: config.DATABASE_URL,
    driver: config.DATABASE_DRIVER,
    applicationName: "pricing",
    logger,
  });
  const server = await serve({
    name: "pricing",
    port: config.PRICING_PORT,
    grpcPort: config.PRICING_GRPC_PORT,
    logger,
    metrics: createMetrics({ service: "pricing" }),
    ...createPricingService({ database, ingestToken: config.INGEST_TOKEN, logger }),
  });

  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void server.close().then(() => database.close()));
  }
});
