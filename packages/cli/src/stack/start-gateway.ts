import { parseEnvironment } from "@storefront/config";
import type { Environment } from "@storefront/config";
import { createGateway, zGatewayEnvironment } from "@storefront/gateway";
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
const zEnvironment = zGatewayEnvironment.pick({ HOST: true, REDIS_URL: true, CORS_ORIGINS: true });

/**
 * Starts the gateway in this process.
 *
 * @throws ConfigError when the environment is wrong, the system's error when it cannot listen.
 */
export async function startGateway(
  settings: StackSettings,
  services: Readonly<Record<ServiceName, ServiceAddress>>,
  env: Environment,
): Promise<RunningGateway> {
  const { HOST, REDIS_URL, CORS_ORIGINS } = parseEnvironment(zEnvironment, env);
  const gateway = createGateway({
    serviceUrls: {
      catalog: services.catalog.url,
      pricing: services.pricing.url,
      reviews: services.reviews.url,
      changelog: services.changelog.url,
      search: services.search.url,
    },
    redisUrl: REDIS_URL,
    corsOrigins: CORS_ORIGINS,
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
