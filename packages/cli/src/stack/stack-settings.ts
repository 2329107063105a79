import { parseEnvironment, zLogLevel, zPort } from "@storefront/config";
import type { Environment } from "@storefront/config";
import { z } from "zod";
import { defaultPorts, serviceNames, variablePrefix } from "./service-names.ts";
import type { ServiceName, ServicePorts } from "./service-names.ts";
import type { ServicesOptions } from "./services-message.ts";

/** What the environment says about an embedded stack. */
export interface StackSettings {
  /** Port of the gateway; 0 lets the system choose. */
  gatewayPort: number;
  ports: Record<ServiceName, ServicePorts>;
  logLevel: ServicesOptions["logLevel"];
  databaseDriver?: NonNullable<ServicesOptions["databaseDriver"]>;
}

const zDriver = z.enum(["pglite", "postgres", "neon"], "must be one of pglite, postgres, neon");

/**
 * Reads `PORT`, `<SERVICE>_PORT`, `<SERVICE>_GRPC_PORT`, `LOG_LEVEL` (default `warn`: a stack on a
 * laptop should not write a line per call) and `DATABASE_DRIVER`.
 *
 * @throws ConfigError when one is wrong.
 */
export function stackSettingsOf(env: Environment): StackSettings {
  const common = parseEnvironment(
    z.object({
      PORT: zPort.default(4000),
      LOG_LEVEL: zLogLevel.default("warn"),
      DATABASE_DRIVER: zDriver.optional(),
    }),
    env,
  );
  const ports = { ...defaultPorts };
  for (const service of serviceNames) ports[service] = portsOf(service, env);
  return {
    gatewayPort: common.PORT,
    ports,
    logLevel: common.LOG_LEVEL,
    ...(common.DATABASE_DRIVER === undefined ? {} : { databaseDriver: common.DATABASE_DRIVER }),
  };
}

function portsOf(service: ServiceName, env: Environment): ServicePorts {
  const { port, grpcPort } = portVariables(service);
  const values = parseEnvironment(
    z.object({ [port]: zPort.optional(), [grpcPort]: zPort.optional() }),
    env,
  );
  const defaults = defaultPorts[service];
  return {
    port: values[port] ?? defaults.port,
    grpcPort: values[grpcPort] ?? defaults.grpcPort,
  };
}

/** Names of the variables that set a service's ports. */
export function portVariables(service: ServiceName): { port: string; grpcPort: string } {
  const prefix = variablePrefix(service);
  return { port: `${prefix}_PORT`, grpcPort: `${prefix}_GRPC_PORT` };
}
