import { byService, serviceNames, serviceVariables } from "@storefront/process";
import type { Environment, ServiceName } from "@storefront/process";
import { join } from "node:path";
import { integerOption } from "../command.ts";
import { databaseUrlOf } from "../stack/data-directory.ts";
import { fixedPort } from "../stack/fixed-port.ts";
import { stackEnvironment, withPorts } from "../stack/stack-environment.ts";
import type { StackSettings } from "../stack/stack-environment.ts";
import { usageError } from "../user-error.ts";

/** A process that restarts alone. */
export type ProcessName = ServiceName | "gateway";

export interface DevEnvironmentOptions {
  /** The user's. */
  env: Environment;
  dataDirectory: string;
  ingestToken: string;
  /** Every port is fixed, so that a restarted process is found again. */
  settings: StackSettings;
}

/**
 * The environment of one process: that of an embedded stack, with the ports of the others. PGlite
 * opens a directory in one process only, so each service has its own below the data directory.
 */
export function devEnvironment(name: ProcessName, options: DevEnvironmentOptions): Environment {
  const { env, dataDirectory, ingestToken, settings } = options;
  const databaseUrl = databaseUrlOf(join(dataDirectory, name), env);
  const stack = stackEnvironment(env, { databaseUrl, ingestToken });
  const urls = serviceNames.map((service) => [
    serviceVariables(service).url,
    `http://127.0.0.1:${settings.ports[service].port}`,
  ]);
  return {
    // Calls in progress delay a restart by no more than this.
    SHUTDOWN_TIMEOUT_SECONDS: "1",
    // The gateway finds a restarted service again after this.
    BREAKER_PAUSE_MS: "100",
    // An edited handler changes no record, so that its cached responses would stay valid.
    RESPONSE_CACHE_MIB: "0",
    // A fixed port could be in use by another stack.
    METRICS_PORT: "0",
    ...withPorts(stack, settings.ports),
    ...Object.fromEntries(urls),
    PORT: String(settings.gatewayPort),
    // The explorer has its own server.
    PAGES_DIR: undefined,
    // As with `start`, services are reached from this machine only.
    ...(name === "gateway" ? {} : { HOST: "127.0.0.1" }),
  };
}

/** The same settings with a free port for every 0. */
export async function withFixedPorts(settings: StackSettings): Promise<StackSettings> {
  const ports = byService((name) => settings.ports[name]);
  for (const name of serviceNames) {
    const { port, grpcPort } = ports[name];
    ports[name] = { port: await fixedPort(port), grpcPort: await fixedPort(grpcPort) };
  }
  return { gatewayPort: await fixedPort(settings.gatewayPort), ports };
}

/** The process whose inspector is open. */
export interface Inspected {
  name: ProcessName;
  port: number;
}

/**
 * Parses `NAME` or `NAME:PORT`.
 *
 * @throws UserError when there is no such process or port.
 */
export function parseInspected(text: string): Inspected {
  const [given = "", port = "9229"] = text.split(/:(.*)/s);
  const names = ["gateway", ...serviceNames] as const;
  const name = names.find((known) => known === given);
  if (name === undefined) throw usageError(`--inspect takes one of ${names.join(", ")}.`);
  return { name, port: integerOption("inspect", port, { min: 1, max: 65_535 }) };
}
