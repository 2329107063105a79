import { parseEnvironment } from "@storefront/config";
import type { Environment } from "@storefront/config";
import { createGateway, protectionOf, zGatewayEnvironment } from "@storefront/gateway";
import { createLogger } from "@storefront/telemetry";
import type { ServiceAddress, ServiceName } from "./service-names.ts";
import type { StackSettings } from "./stack-settings.ts";

/** The gateway of an embedded stack, listening. */
export interface RunningGateway {
  /** Base URL by which this machine reaches it. */
  url: string;
  /** Stops accepting, lets requests in flight finish, closes. */
  close(): Promise<void>;
}

/** What a gateway that is deployed by itself takes from its environment, less what the stack knows. */
const zEnvironment = zGatewayEnvironment.pick({
  HOST: true,
  REDIS_URL: true,
  RESPONSE_CACHE_MIB: true,
  CORS_ORIGINS: true,
  RATE_LIMIT_PER_MINUTE: true,
  API_KEYS: true,
  TRUSTED_PROXIES: true,
  HSTS_MAX_AGE_SECONDS: true,
});

/**
 * Starts the gateway in this process.
 *
 * @param pagesDirectory the built explorer; undefined when there is none.
 * @throws ConfigError when the environment is wrong, the system's error when it cannot listen.
 */
export async function startGateway(
  settings: StackSettings,
  services: Readonly<Record<ServiceName, ServiceAddress>>,
  env: Environment,
  pagesDirectory: string | undefined,
): Promise<RunningGateway> {
  const { HOST, REDIS_URL, RESPONSE_CACHE_MIB, CORS_ORIGINS, ...protection } = parseEnvironment(
    zEnvironment,
    env,
  );
  const gateway = createGateway({
    serviceUrls: {
      catalog: services.catalog.url,
      pricing: services.pricing.url,
      reviews: services.reviews.url,
      changelog: services.changelog.url,
      search: services.search.url,
    },
    redisUrl: REDIS_URL,
    responseCacheBytes: RESPONSE_CACHE_MIB * 2 ** 20,
    corsOrigins: CORS_ORIGINS,
    protection: protectionOf(protection),
    pagesDirectory,
    // Standard output is for the command's own result.
    logger: createLogger({
      service: "gateway",
      level: settings.logLevel,
      destination: process.stderr,
    }),
  });
  try {
    const { port } = await gateway.listen({ port: settings.gatewayPort, host: HOST });
    return { url: `http://127.0.0.1:${port}`, close: () => gateway.close() };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
