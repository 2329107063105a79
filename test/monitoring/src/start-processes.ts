import { migrate, openDatabase } from "@storefront/database";
import { createGateway, gatewaySettingsOf } from "@storefront/gateway";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { openService } from "@storefront/service-process";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { randomUUID } from "node:crypto";

export const ingestToken = "a token of sixteen letters";

/** The gateway and every service as their processes run them, over one database in memory. */
export interface Processes {
  gatewayUrl: string;
  /** gRPC ports of the services, by their names. */
  grpcPorts: ReadonlyMap<string, number>;
  /** Where the metrics of each process are, by its name. */
  metricsUrls: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const host = "127.0.0.1";

/** In the order in which they follow each other. */
const definitions = [
  catalogService,
  pricingService,
  reviewsService,
  changelogService,
  searchService,
];

/** Starts them all. */
export async function startProcesses(): Promise<Processes> {
  await using started = new AsyncDisposableStack();
  const logger = createLogger({ service: "test", level: "silent" });
  const url = `pglite:memory:${randomUUID()}`;
  const database = started.adopt(await openDatabase({ url }), (used) => used.close());
  const urls: Record<string, string> = {};
  const grpcPorts = new Map<string, number>();
  for (const { name, migrations, optionsOf } of definitions) {
    await migrate(database, migrations);
    const prefix = name.toUpperCase();
    const env = {
      ...urls,
      DATABASE_URL: url,
      INGEST_TOKEN: ingestToken,
      SHUTDOWN_DELAY_SECONDS: "0",
      [`${prefix}_PORT`]: "0",
      [`${prefix}_GRPC_PORT`]: "0",
      HOST: host,
    };
    const service = await openService(optionsOf(env), { logger, isAlone: true });
    started.defer(() => service.close());
    service.startIndexing();
    urls[`${prefix}_URL`] = `http://${host}:${service.server.port}`;
    grpcPorts.set(name, service.server.grpcPort);
  }

  const { gateway: options } = gatewaySettingsOf({
    ...urls,
    RATE_LIMIT_PER_MINUTE: "1000",
    SHUTDOWN_DELAY_SECONDS: "0",
  });
  const metrics = createMetrics({ service: "gateway", processMetrics: true });
  const gateway = createGateway({ ...options, logger, metrics });
  started.defer(() => gateway.close());
  const { port, metricsPort } = await gateway.listen({ port: 0, host, metricsPort: 0 });

  const resources = started.move();
  return {
    gatewayUrl: `http://${host}:${port}`,
    grpcPorts,
    metricsUrls: new Map([
      ["gateway", `http://${host}:${metricsPort}/metrics`],
      ...definitions.map(({ name }): [string, string] => [
        name,
        `${urls[`${name.toUpperCase()}_URL`]}/metrics`,
      ]),
    ]),
    close: () => resources.disposeAsync(),
  };
}
