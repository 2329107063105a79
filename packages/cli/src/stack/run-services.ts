import { ConfigError, defaultPorts } from "@storefront/config";
import type { ServiceName, ServicePorts } from "@storefront/config";
import { migrate } from "@storefront/database";
import { openService } from "@storefront/service-process";
import type { OpenService, ServiceDefinition, ServiceOptions } from "@storefront/service-process";
import { createLogger } from "@storefront/telemetry";
import { services } from "./services.ts";
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
const host = "127.0.0.1";

/**
 * Opens the database, brings it up to date and serves every service over it.
 *
 * @throws ConfigError with what is wrong for any of them, DatabaseSetupError,
 * DatabaseUnavailableError, or ListenError when a port is taken.
 */
export async function runServices({ env }: ServicesOptions): Promise<RunningServices> {
  const opened: OpenService[] = [];
  const ports = { ...defaultPorts };
  const close = async () => {
    await Promise.all(opened.map((service) => service.close()));
  };
  try {
    for (const { options, migrations } of optionsOfAll(env)) {
      const followed = [...options.followed.keys()].map(
        (name) => [name, `http://${host}:${ports[name].port}`] as const,
      );
      const logger = createLogger({
        service: options.name,
        level: options.logLevel,
        destination: process.stderr,
      });
      const onWait = (reason: string) => logger.warn({ reason }, "waiting before it migrates");
      const service = await openService(
        { ...options, host, followed: new Map(followed) },
        {
          logger,
          isAlone: false,
          prepare: (database) => migrate(database, migrations, { onWait }),
        },
      );
      opened.push(service);
      ports[options.name] = { port: service.server.port, grpcPort: service.server.grpcPort };
    }
  } catch (error) {
    await close();
    throw error;
  }
  const startIndexing = () => {
    for (const service of opened) service.startIndexing();
  };
  return { ports, startIndexing, close };
}

/** @throws ConfigError with the problems of all services. */
function optionsOfAll(
  env: ServicesOptions["env"],
): (Pick<ServiceDefinition, "migrations"> & { options: ServiceOptions })[] {
  const problems: ConfigError["problems"][number][] = [];
  const all = services.flatMap(({ optionsOf, migrations }) => {
    try {
      return [{ options: optionsOf(env), migrations }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return all;
}
