import { parseEnvironment, startProcess } from "@storefront/config";
import { openDatabase } from "@storefront/database";
import { createTransport, serve } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { zSearchEnvironment } from "./config.ts";
import { createSearchService } from "./create-search-service.ts";
import { searchBackendsOf } from "./search-backends.ts";

await startProcess(async () => {
  const config = parseEnvironment(zSearchEnvironment, process.env);
  const backends = searchBackendsOf(config);
  const logger = createLogger({ service: "search", level: config.LOG_LEVEL });
  const metrics = createMetrics({ service: "search", processMetrics: true });
  const { DATABASE_URL: url, DATABASE_DRIVER: driver, INGEST_TOKEN: ingestToken } = config;
  const database = await openDatabase({ url, driver, applicationName: "search", logger });
  const followed = {
    catalog: createTransport({ baseUrl: config.CATALOG_URL }),
    pricing: createTransport({ baseUrl: config.PRICING_URL }),
    changelog: createTransport({ baseUrl: config.CHANGELOG_URL }),
  };
  const shared = { database, logger, metrics, ingestToken };
  const search = createSearchService({ ...shared, ...followed, ...backends });
  const { SEARCH_PORT: port, SEARCH_GRPC_PORT: grpcPort } = config;
  const server = await serve({ name: "search", ...search, port, grpcPort, logger, metrics });
  search.start();

  async function stop(): Promise<void> {
    await server.close();
    await search.close();
    await Promise.all(Object.values(followed).map((transport) => transport.close()));
    await database.close();
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stop());
});
