import { parseEnvironment, startProcess } from "@storefront/config";
import { createLogger } from "@storefront/telemetry";
import { zGatewayEnvironment } from "./config.ts";
import { createGateway } from "./create-gateway.ts";
import { protectionOf } from "./protection/environment.ts";

await startProcess(async () => {
  const config = parseEnvironment(zGatewayEnvironment, process.env);
  const logger = createLogger({ service: "gateway", level: config.LOG_LEVEL });
  const gateway = createGateway({
    serviceUrls: {
      catalog: config.CATALOG_URL,
      pricing: config.PRICING_URL,
      reviews: config.REVIEWS_URL,
      changelog: config.CHANGELOG_URL,
      search: config.SEARCH_URL,
    },
    redisUrl: config.REDIS_URL,
    responseCacheBytes: config.RESPONSE_CACHE_MIB * 2 ** 20,
    corsOrigins: config.CORS_ORIGINS,
    protection: protectionOf(config),
    pagesDirectory: config.PAGES_DIR,
    logger,
  });
  const { port } = await gateway.listen({ port: config.PORT, host: config.HOST });
  logger.info({ port }, "listening");

  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => void gateway.close().then(() => logger.info("closed")));
  }
});
