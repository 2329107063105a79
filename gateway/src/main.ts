import { ConfigError, parseEnvironment } from "@storefront/config";
import { createLogger } from "@storefront/telemetry";
import { zGatewayEnvironment } from "./config.ts";
import { createGateway } from "./create-gateway.ts";

try {
  const config = parseEnvironment(zGatewayEnvironment, process.env);
  const logger = createLogger({ service: "gateway", level: config.LOG_LEVEL });
  const gateway = createGateway({
    serviceUrls: {
      catalog: config.CATALOG_URL,
      pricing: config.PRICING_URL,
      reviews: config.REVIEWS_URL,
      changelog: config.CHANGELOG_URL,
    },
    redisUrl: config.REDIS_URL,
    corsOrigins: config.CORS_ORIGINS,
    logger,
  });
  const { port } = await gateway.listen({ port: config.PORT, host: config.HOST });
  logger.info({ port }, "listening");

  const stop = () => void gateway.close().then(() => logger.info("closed"));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
