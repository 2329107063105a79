import { parseEnvironment, startProcess } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { createTransport, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zChangelogEnvironment } from "./config.ts";
import { createChangelogService } from "./create-changelog-service.ts";

await startProcess(async () => {
  const config = parseEnvironment(zChangelogEnvironment, process.env);
  const logger = createLogger({ service: "changelog", level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: "changelog", processMetrics: true });
  const database = await openDatabase({
    url: config.DATABASE_URL,
    driver: config.DATABASE_DRIVER,
    applicationName: "changelog",
    logger,
  });
  const catalog = createTransport({ baseUrl: config.CATALOG_URL });
  const ingestToken = config.INGEST_TOKEN;
  const changelog = createChangelogService({ database, logger, metrics, ingestToken, catalog });
  const server = await serve({
    name: "changelog",
    port: config.CHANGELOG_PORT,
    grpcPort: config.CHANGELOG_GRPC_PORT,
    logger,
    metrics,
    ...changelog,
  });
  changelog.start();

  async function stop(): Promise<void> {
    await server.close();
    await changelog.close();
    await catalog.close();
    await database.close();
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
});
