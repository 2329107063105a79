import {
  byService,
  defaultPorts,
  parseEnvironment,
  serverTlsShape,
  serviceNames,
  serviceVariables,
  zPort,
} from "@storefront/process";
import type { Environment, ServiceName, ServicePorts } from "@storefront/process";
import { z } from "zod";

/** The ports of an embedded stack; 0 lets the system choose. */
export interface StackSettings {
  gatewayPort: number;
  ports: Record<ServiceName, ServicePorts>;
}

/**
 * Reads `PORT`, `<SERVICE>_PORT` and `<SERVICE>_GRPC_PORT`.
 *
 * @throws ConfigError naming all that are wrong.
 */
export function stackSettingsOf(env: Environment): StackSettings {
  const zPorts = z.object(
    Object.fromEntries(
      serviceNames.flatMap((service) => {
        const { port, grpcPort } = defaultPorts[service];
        const variables = serviceVariables(service);
        return [
          [variables.port, zPort.default(port)],
          [variables.grpcPort, zPort.default(grpcPort)],
        ];
      }),
    ),
  );
  const [{ PORT }, values] = parseEnvironment(
    [z.object({ PORT: zPort.default(4000) }), zPorts],
    env,
  );
  const ports = byService((service) => {
    const { port, grpcPort } = serviceVariables(service);
    // Each is there: those that were not set have their defaults.
    return { port: values[port] ?? 0, grpcPort: values[grpcPort] ?? 0 };
  });
  return { gatewayPort: PORT, ports };
}

/** Variables of the parts of an embedded stack, unless the user sets them. */
export interface StackDefaults {
  databaseUrl: string;
  ingestToken: string;
}

/**
 * The environment of the parts of an embedded stack: the user's, over the stack's own defaults: no log
 * line per call, and no delay before the end, since no load balancer is in front.
 */
export function stackEnvironment(
  env: Environment,
  { databaseUrl, ingestToken }: StackDefaults,
): Environment {
  const given = Object.entries(env).filter(
    ([name, value]) => value !== undefined && value !== "" && !isOfTls(name),
  );
  return {
    LOG_LEVEL: "warn",
    SHUTDOWN_DELAY_SECONDS: "0",
    DATABASE_URL: databaseUrl,
    ...Object.fromEntries(given),
    INGEST_TOKEN: ingestToken,
    // One name for all parts would make them one in their traces: each keeps its own.
    OTEL_SERVICE_NAME: undefined,
  };
}

// Nothing leaves the loopback address; the user may have set them for the stacks of other commands.
function isOfTls(name: string): boolean {
  return name in serverTlsShape;
}

/** The same with fixed ports of the services. */
export function withPorts(
  env: Environment,
  ports: Readonly<Record<ServiceName, ServicePorts>>,
): Environment {
  const pinned = serviceNames.flatMap((service) => {
    const variables = serviceVariables(service);
    const { port, grpcPort } = ports[service];
    return [
      [variables.port, String(port)],
      [variables.grpcPort, String(grpcPort)],
    ];
  });
  return { ...env, ...Object.fromEntries(pinned) };
}
