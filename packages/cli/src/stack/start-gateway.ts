import {
  byService,
  createLogger,
  createMetrics,
  serviceNames,
  serviceVariables,
  startTracing,
} from "@storefront/process";
import type { Environment, ServiceName } from "@storefront/process";
import { createGateway, gatewaySettingsOf } from "@storefront/gateway";
import type { ServiceAddress } from "./data-directory.ts";

/** The running gateway of an embedded stack. */
export interface RunningGateway {
  /** Base URL by which this machine reaches it. */
  url: string;
  /** Stops accepting, completes requests in progress, closes. */
  close(): Promise<void>;
}

/**
 * Settings of the gateway from the stack's environment, except for the services and the pages. Metrics
 * are served only when METRICS_PORT is set: several stacks of a laptop could not share a default port.
 *
 * @throws ConfigError when the environment is wrong.
 */
export function stackGatewaySettings(env: Environment) {
  const known = [...serviceNames.map((name) => serviceVariables(name).url), "PAGES_DIR"];
  const settings = gatewaySettingsOf(
    Object.fromEntries(Object.entries(env).filter(([name]) => !known.includes(name))),
  );
  const { METRICS_PORT = "" } = env;
  return { ...settings, metricsPort: METRICS_PORT === "" ? undefined : settings.metricsPort };
}

/**
 * Starts the gateway in this process.
 *
 * @param pagesDirectory the built explorer; undefined when there is none.
 * @throws ListenError when it cannot listen.
 */
export async function startGateway(
  settings: ReturnType<typeof stackGatewaySettings>,
  services: Readonly<Record<ServiceName, ServiceAddress>>,
  pagesDirectory: string | undefined,
): Promise<RunningGateway> {
  const { port, metricsPort, host } = settings;
  // Standard output is for the command's own result.
  const logger = createLogger({
    service: "gateway",
    level: settings.logLevel,
    destination: process.stderr,
  });
  const gateway = createGateway({
    ...settings.gateway,
    logger,
    metrics: createMetrics({ service: "gateway", processMetrics: metricsPort !== undefined }),
    tracer: await startTracing(settings.tracing, logger),
    serviceUrls: byService((name) => services[name].url),
    pagesDirectory,
  });
  try {
    const listening = await gateway.listen({ port, metricsPort, host });
    return { url: `http://127.0.0.1:${listening.port}`, close: () => gateway.close() };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}
