import { createLogger, createMetrics, startTracing } from "@storefront/process";
import type { Environment, Logger, RunningProcess } from "@storefront/process";
import { openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createClientMetrics, createTransport, openTlsCredentials, serve } from "@storefront/rpc";
import type { RunningServer } from "@storefront/rpc";
import type { ServiceDefinition, ServiceOptions } from "./service-definition.ts";

/** Options of a service in a process. */
export interface OpenServiceOptions {
  logger: Logger;
  /** Whether the process runs nothing else, so that its memory and CPU are the service's. */
  isAlone: boolean;
  /** Called before the service is served; default: nothing, the database is migrated already. */
  prepare?: (database: Database) => Promise<unknown>;
}

/** A running service. */
export interface OpenService {
  readonly server: Pick<RunningServer, "port" | "grpcPort">;
  /** Starts the work that waits for imports, if any; see `ServiceSpecification`. */
  startIndexing(): void;
  /** Drains it, then closes everything that it has opened. */
  close(): Promise<void>;
}

/**
 * Opens the database of a service, serves it and starts its background work.
 *
 * @throws DatabaseSetupError, ListenError, TlsError
 */
export async function openService(
  options: ServiceOptions,
  { logger, isAlone, prepare }: OpenServiceOptions,
): Promise<OpenService> {
  const { name, ingestTokens } = options;
  // Closes in reverse order, also when a later step fails.
  await using opened = new AsyncDisposableStack();
  const tracer = await startTracing(options.tracing, logger);
  opened.defer(async () => await tracer?.close());
  const metrics = createMetrics({ service: name, processMetrics: isAlone });
  const tls =
    options.tls &&
    opened.adopt(await openTlsCredentials({ ...options.tls, logger }), (used) => used.close());
  const database = opened.adopt(
    await openDatabase({
      ...options.database,
      applicationName: `storefront-${name}`,
      logger,
      metrics,
    }),
    (used) => used.close(),
  );
  const services = Object.entries(options.followed);
  const clientMetrics = services.length === 0 ? undefined : createClientMetrics(metrics);
  const transports = new Map(
    services.map(([followed, baseUrl]) => {
      const transport = createTransport({
        baseUrl,
        tls,
        metrics: clientMetrics && { upstream: followed, metrics: clientMetrics },
      });
      return [followed, opened.adopt(transport, (used) => used.close())];
    }),
  );
  const parts = options.create({
    database,
    logger,
    metrics,
    ingestTokens,
    transportTo(followed) {
      const transport = transports.get(followed);
      if (transport === undefined)
        throw new Error(`${name} does not say that it follows ${followed}`);
      return transport;
    },
  });
  opened.defer(() => parts.close());
  await prepare?.(database);
  const server = await serve({
    ...options,
    services: parts.services,
    readiness: parts.readiness,
    tls:
      tls?.current.cert === undefined
        ? undefined
        : { credentials: tls, clientAuth: options.tls?.clientAuth },
    logger,
    metrics,
    tracer,
  });
  opened.defer(() => server.close());
  if (!options.waitsForImports) parts.start();
  const resources = opened.move();
  return {
    server,
    startIndexing: () => {
      if (options.waitsForImports) parts.start();
    },
    close: () => resources.disposeAsync(),
  };
}

/**
 * Runs one service by its environment.
 *
 * @param prepare see {@link OpenServiceOptions}; default: the database is or will be migrated by another process.
 *
 * @throws ConfigError, DatabaseSetupError, ListenError, TlsError
 */
export async function runService(
  definition: ServiceDefinition,
  env: Environment,
  prepare?: (database: Database) => Promise<unknown>,
): Promise<RunningProcess> {
  const options = definition.optionsOf(env);
  const logger = createLogger({ service: options.name, level: options.logLevel });
  const service = await openService(options, {
    logger,
    isAlone: true,
    ...(prepare && { prepare }),
  });
  service.startIndexing();
  return { close: () => service.close(), closeTimeoutMs: options.closeTimeoutMs };
}
