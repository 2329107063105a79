import { parseEnvironment } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { createTransport, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zSearchConfig } from "./config.ts";
import { createSearchService } from "./create-search-service.ts";
import { searchBackendsOf } from "./search-backends.ts";

const config = parseEnvironment(zSearchConfig, process.env);
const logger = createLogger({ service: "search", level: config.LOG_LEVEL });
const metrics = createMetrics({ service: "search", processMetrics: true });
const { DATABASE_URL: url, DATABASE_DRIVER: driver, INGEST_TOKEN: ingestToken } = config;
const database = await openDatabase({ url, driver, applicationName: "search", logger });
const followed = {
  catalog: createTransport({ baseUrl: config.CATALOG_URL }),
  pricing: createTransport({ baseUrl: config.PRICING_URL }),
  changelog: createTransport({ baseUrl: config.CHANGELOG_URL }),
};
const search = createSearchService({
  database,
  logger,
  metrics,
  ingestToken,
  ...followed,
  ...searchBackendsOf(config),
});
const server = await serve({
  name: "search",
  ...search,
  port: config.SEARCH_PORT,
  grpcPort: config.SEARCH_GRPC_PORT,
  logger,
  metrics,
});
search.start();

async function stop(): Promise<void> {
  await server.close();
  await search.close();
  await Promise.all(Object.values(followed).map((transport) => transport.close()));
  await database.close();
}
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
