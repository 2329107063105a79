import { parseEnvironment, startProcess } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zCatalogEnvironment } from "./config.ts";
import { createCatalogService } from "./create-catalog-service.ts";

await startProcess(async () => {
  const config = parseEnvironment(zCatalogEnvironment, process.env);
  const logger = createLogger({ service: "catalog", level: config.LOG_LEVEL });
  const database = await openDatabase({
    url: config.DATABASE_URL,
    driver: config.DATABASE_DRIVER,
    applicationName: "catalog",
    logger,
  });
  const server = await serve({
    name: "catalog",
    port: config.CATALOG_PORT,
    grpcPort: config.CATALOG_GRPC_PORT,
    logger,
    metrics: createMetrics({ service: "catalog" }),
    ...createCatalogService({ database, ingestToken: config.INGEST_TOKEN, logger }),
  });

  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void server.close().then(() => database.close()));
  }
});
