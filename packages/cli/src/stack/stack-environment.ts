import {
  byService,
  defaultPorts,
  parseEnvironment,
  portsShapeOf,
  serverTlsShape,
  serviceNames,
  serviceVariables,
  variablesIn,
  zGatewayPort,
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
 * @throws ConfigError naming all wrong variables.
 */
export function stackSettingsOf(env: Environment): StackSettings {
  const zServices = serviceNames.map((service) => z.object(portsShapeOf(service)));
  const [{ port: gatewayPort }, ...ports] = parseEnvironment(
    [z.object({ port: zGatewayPort }), ...zServices],
    env,
  );
  // All are present, in the order of the names.
  const portsOf = (service: ServiceName) =>
    ports[serviceNames.indexOf(service)] ?? defaultPorts[service];
  return { gatewayPort, ports: byService(portsOf) };
}

/** Variables of the parts of an embedded stack, unless the user sets them. */
export interface StackDefaults {
  databaseUrl: string;
  ingestToken: string;
}

/**
 * The environment of the parts of an embedded stack: the user's, over the stack's own defaults: no log
 * line per call, and no delay before the shutdown, since no load balancer is in front.
 */
export function stackEnvironment(
  env: Environment,
  { databaseUrl, ingestToken }: StackDefaults,
): Environment {
  const given = Object.entries(env).filter(
    ([name, value]) => value !== undefined && value !== "" && !tlsVariables.has(name),
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
const tlsVariables = variablesIn([z.object(serverTlsShape)]);

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
