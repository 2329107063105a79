import type { DatabaseOptions } from "@storefront/database";
import { migrate, openDatabase } from "@storefront/database";
import { catalogService } from "@storefront/service-catalog";
import { changelogService } from "@storefront/service-changelog";
import { pricingService } from "@storefront/service-pricing";
import { openService } from "@storefront/service-process";
import type { OpenService, ServiceDefinition } from "@storefront/service-process";
import { reviewsService } from "@storefront/service-reviews";
import { searchService } from "@storefront/service-search";
import { webhooksService } from "@storefront/service-webhooks";
import { createLogger } from "@storefront/process";

export const ingestToken = "a token of sixteen letters";

/** Token of calls that manage webhooks. */
export const adminToken = "an admin's token";

const host = "127.0.0.1";
const logger = createLogger({ service: "test", level: "silent" });

/** In the order in which they follow each other. */
const definitions = [
  catalogService,
  pricingService,
  reviewsService,
  changelogService,
  searchService,
];

/** Every service as its process runs it. */
export interface Services {
  /** URLs of the services, by the names of their variables. */
  urls: Readonly<Record<string, string>>;
  /** gRPC ports by the names of the services. */
  grpcPorts: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Migrates one database for all services and starts them on it. */
export async function startServices(options: DatabaseOptions): Promise<Services> {
  await using started = new AsyncDisposableStack();
  const database = started.adopt(await openDatabase(options), (used) => used.close());
  const urls: Record<string, string> = {};
  const grpcPorts = new Map<string, number>();
  for (const definition of definitions) {
    const { name, migrations } = definition;
    await migrate(database, migrations);
    const service = await startService(definition, options, urls);
    started.defer(() => service.close());
    urls[`${name.toUpperCase()}_URL`] = `http://${host}:${service.server.port}`;
    grpcPorts.set(name, service.server.grpcPort);
  }
  const resources = started.move();
  return { urls, grpcPorts, close: () => resources.disposeAsync() };
}

/** Starts webhooks of this gateway on the database of the services. */
export async function startWebhooks(
  options: DatabaseOptions,
  gatewayUrl: string,
): Promise<OpenService> {
  const database = await openDatabase(options);
  await migrate(database, webhooksService.migrations);
  await database.close();
  return await startService(webhooksService, options, {
    GATEWAY_URL: gatewayUrl,
    ADMIN_TOKEN: adminToken,
    WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8",
  });
}

/** Starts one service on a migrated database; `own` are its own variables, such as URLs of services that it follows. */
export async function startService(
  { name, optionsOf }: ServiceDefinition,
  database: DatabaseOptions,
  own: Readonly<Record<string, string>>,
): Promise<OpenService> {
  const prefix = name.toUpperCase();
  const options = optionsOf({
    ...own,
    DATABASE_URL: database.url,
    INGEST_TOKEN: ingestToken,
    SHUTDOWN_DELAY_SECONDS: "0",
    [`${prefix}_PORT`]: "0",
    [`${prefix}_GRPC_PORT`]: "0",
    HOST: host,
  });
  const service = await openService(
    { ...options, database: { ...options.database, ...database } },
    { logger, isAlone: true },
  );
  service.startIndexing();
  return service;
}
