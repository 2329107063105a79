import { createGateway, gatewaySettingsOf } from "@storefront/gateway";
import { createLogger, createMetrics } from "@storefront/process";
import { memoryDatabase } from "@storefront/testkit";
import { startServices, startWebhooks } from "./start-services.ts";

/** The gateway and every service as their processes run them, on one database in memory. */
export interface Processes {
  gatewayUrl: string;
  /** Base URL of the RPCs that manage webhooks. */
  webhooksUrl: string;
  /** gRPC ports of the services, by their names. */
  grpcPorts: ReadonlyMap<string, number>;
  /** URL of the metrics of each process, by its name. */
  metricsUrls: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const host = "127.0.0.1";

/** Starts them all. */
export async function startProcesses(): Promise<Processes> {
  await using started = new AsyncDisposableStack();
  const logger = createLogger({ service: "test", level: "silent" });
  const database = await memoryDatabase("schemas");
  const services = started.adopt(await startServices(database), (used) => used.close());
  const { urls, grpcPorts } = services;
  const { gateway: options } = gatewaySettingsOf({
    ...urls,
    RATE_LIMIT_PER_MINUTE: "1000",
    SHUTDOWN_DELAY_SECONDS: "0",
  });
  const metrics = createMetrics({ service: "gateway", processMetrics: true });
  const gateway = createGateway({ ...options, logger, metrics });
  started.defer(() => gateway.close());
  const { port, metricsPort } = await gateway.listen({ port: 0, host, metricsPort: 0 });

  const gatewayUrl = `http://${host}:${port}`;
  const webhooks = started.adopt(await startWebhooks(database, gatewayUrl), (used) => used.close());
  const webhooksUrl = `http://${host}:${webhooks.server.port}`;

  const resources = started.move();
  return {
    gatewayUrl,
    webhooksUrl,
    grpcPorts,
    metricsUrls: new Map([
      ["gateway", `http://${host}:${metricsPort}/metrics`],
      ...[...grpcPorts.keys()].map((name): [string, string] => [
        name,
        `${urls[`${name.toUpperCase()}_URL`]}/metrics`,
      ]),
      ["webhooks", `${webhooksUrl}/metrics`],
    ]),
    close: () => resources.disposeAsync(),
  };
}
