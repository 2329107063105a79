import { serviceNames, serviceVariables } from "@storefront/config";
import type { Environment, ServiceName } from "@storefront/config";
import { createGateway, gatewaySettingsOf } from "@storefront/gateway";
import type { GatewaySettings } from "@storefront/gateway";
import { createLogger } from "@storefront/telemetry";
import type { ServiceAddress } from "./service-address.ts";

/** The gateway of an embedded stack, listening. */
export interface RunningGateway {
  /** Base URL by which this machine reaches it. */
  url: string;
  /** Stops accepting, lets requests in flight finish, closes. */
  close(): Promise<void>;
}

/**
 * What the gateway of an embedded stack takes from the stack's environment; the stack knows the
 * services and the pages better.
 *
 * @throws ConfigError when the environment is wrong.
 */
export function stackGatewaySettings(env: Environment): GatewaySettings {
  const known = [...serviceNames.map((name) => serviceVariables(name).url), "PAGES_DIR"];
  return gatewaySettingsOf(
    Object.fromEntries(Object.entries(env).filter(([name]) => !known.includes(name))),
  );
}

/**
 * Starts the gateway in this process.
 *
 * @param pagesDirectory the built explorer; undefined when there is none.
 * @throws ListenError when it cannot listen.
 */
export async function startGateway(
  settings: GatewaySettings,
  services: Readonly<Record<ServiceName, ServiceAddress>>,
  pagesDirectory: string | undefined,
): Promise<RunningGateway> {
  const gateway = createGateway({
    ...settings.gateway,
    serviceUrls: {
      catalog: services.catalog.url,
      pricing: services.pricing.url,
      reviews: services.reviews.url,
      changelog: services.changelog.url,
      search: services.search.url,
    },
    pagesDirectory,
    // Standard output is for the command's own result.
    logger: createLogger({
      service: "gateway",
      level: settings.logLevel,
      destination: process.stderr,
    }),
  });
  try {
    const { port } = await gateway.listen({ port: settings.port, host: settings.host });
    return { url: `http://127.0.0.1:${port}`, close: () => gateway.close() };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
