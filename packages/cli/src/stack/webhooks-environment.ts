import {
  parseEnvironment,
  portsShapeOf,
  serviceVariables,
  zGatewayPort,
} from "@storefront/process";
import type { Environment } from "@storefront/process";
import { z } from "zod";
import type { WantedPort } from "./check-ports.ts";
import { fixedPort } from "./fixed-port.ts";

const zPorts = z.object({ gatewayPort: zGatewayPort, ...portsShapeOf("webhooks") });
const variables = serviceVariables("webhooks");

/** Whether a stack sends webhooks. */
export function hasWebhooks(env: Environment): boolean {
  return env["ADMIN_TOKEN"] !== undefined;
}

/**
 * The environment of a stack that may send webhooks. The gateway calls the process that follows its streams, so both
 * need the other's port before they start.
 *
 * @throws ConfigError when a port is wrong.
 */
export async function withWebhooks(env: Environment): Promise<Environment> {
  if (!hasWebhooks(env)) return env;
  const [ports] = parseEnvironment([zPorts], env);
  const gatewayPort = await fixedPort(ports.gatewayPort);
  const port = await fixedPort(ports.port);
  return {
    ...env,
    PORT: String(gatewayPort),
    GATEWAY_URL: `http://127.0.0.1:${gatewayPort}`,
    [variables.port]: String(port),
    [variables.url]: `http://127.0.0.1:${port}`,
  };
}

/** Ports of a stack that sends webhooks. */
export function portsOfWebhooks(env: Environment): WantedPort[] {
  if (!hasWebhooks(env)) return [];
  const [{ port, grpcPort }] = parseEnvironment([zPorts], env);
  const host = "127.0.0.1";
  return [
    { port, use: "webhooks", setting: variables.port, host },
    { port: grpcPort, use: "gRPC of webhooks", setting: variables.grpcPort, host },
  ];
}
