import {
  defaultPorts,
  parseEnvironment,
  serviceNames,
  serviceVariables,
  zPort,
} from "@storefront/config";
import type { Environment, ServiceName, ServicePorts } from "@storefront/config";
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
  const named = serviceNames.map((service) => [service, serviceVariables(service)] as const);
  const zPorts = z.object(
    Object.fromEntries(
      named.flatMap(([service, { port, grpcPort }]) => [
        [port, zPort.default(defaultPorts[service].port)],
        [grpcPort, zPort.default(defaultPorts[service].grpcPort)],
      ]),
    ),
  );
  const [{ PORT }, values] = parseEnvironment(
    [z.object({ PORT: zPort.default(4000) }), zPorts],
    env,
  );
  const ports = { ...defaultPorts };
  for (const [service, { port, grpcPort }] of named) {
    ports[service] = {
      port: values[port] ?? defaultPorts[service].port,
      grpcPort: values[grpcPort] ?? defaultPorts[service].grpcPort,
    };
  }
  return { gatewayPort: PORT, ports };
}
