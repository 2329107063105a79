import { parseEnvironment } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { createTransport, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zChangelogConfig } from "./config.ts";
import { createChangelogService } from "./create-changelog-service.ts";

const config = parseEnvironment(zChangelogConfig, process.env);
const logger = createLogger({ service: "changelog", level: config.LOG_LEVEL });
const metrics = createMetrics({ service: "changelog", processMetrics: true });
const database = await openDatabase({
  url: config.DATABASE_URL,
  driver: config.DATABASE_DRIVER,
  applicationName: "changelog",
  logger,
});
const catalog = createTransport({ baseUrl: config.CATALOG_URL });
const changelog = createChangelogService({
  database,
  logger,
  metrics,
  ingestToken: config.INGEST_TOKEN,
  catalog,
});
const server = await serve({
  name: "changelog",
  ...changelog,
  port: config.CHANGELOG_PORT,
  grpcPort: config.CHANGELOG_GRPC_PORT,
  logger,
  metrics,
});
changelog.start();

async function stop(): Promise<void> {
  await server.close();
  await changelog.close();
  await catalog.close();
  await database.close();
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
