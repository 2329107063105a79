import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { serve } from "@storefront/rpc";
import type { RunningServer } from "@storefront/rpc";
import { createLogger, createMetrics } from "@storefront/telemetry";
import { serviceNames } from "./service-names.ts";
import type { ServiceName, ServicePorts } from "./service-names.ts";
import { createService, migrationsOf } from "./services.ts";
import type { EmbeddedService } from "./services.ts";
import type { ServicesOptions } from "./services-message.ts";

/** The services of an embedded stack, listening. */
export interface RunningServices {
  ports: Record<ServiceName, ServicePorts>;
  /** Lets the search begin to follow what the others wrote. */
  startIndexing(): void;
  /** Drains the services, then closes the database. */
  close(): Promise<void>;
}

/** Only this machine reaches the services of an embedded stack. */
const loopback = "127.0.0.1";

/**
 * Opens the database, brings it up to date and serves every service over it.
 *
 * @throws DatabaseSetupError, DatabaseUnavailableError, or ListenError when a port is taken.
 */
export async function runServices(options: ServicesOptions): Promise<RunningServices> {
  const databases: Database[] = [];
  const servers: RunningServer[] = [];
  const services: EmbeddedService[] = [];
  const ports: Partial<Record<ServiceName, ServicePorts>> = {};
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(services.map(async (service) => await service.close?.()));
    await Promise.all(databases.map((database) => database.close()));
  };
  const start = async (name: ServiceName) => {
    const logger = createLogger({
      service: name,
      level: options.logLevel,
      destination: process.stderr,
    });
    const metrics = createMetrics({ service: name });
    // A pool for each service, as when they are deployed apart; PGlite has one instance in any case.
    const database = await openDatabase({
      url: options.databaseUrl,
      ...(options.databaseDriver === undefined ? {} : { driver: options.databaseDriver }),
      applicationName: `storefront-${name}`,
      logger,
    });
    databases.push(database);
    const service = createService[name]({
      database,
      logger,
      metrics,
      ingestToken: options.ingestToken,
      env: process.env,
      urlOf: (other) => `http://${loopback}:${ports[other]?.port ?? options.ports[other].port}`,
    });
    services.push(service);
    await migrate(database, migrationsOf[name]);
    const server = await serve({
      name,
      services: service.services,
      ...options.ports[name],
      host: loopback,
      logger,
      metrics,
      readiness: service.readiness,
    });
    servers.push(server);
    service.start?.();
    ports[name] = { port: server.port, grpcPort: server.grpcPort };
  };
  try {
    for (const name of serviceNames) await start(name);
    const startIndexing = () => {
      for (const service of services) service.startIndexing?.();
    };
    return { ports: { ...options.ports, ...ports }, startIndexing, close };
  } catch (error) {
    await close();
    throw error;
  }
}
