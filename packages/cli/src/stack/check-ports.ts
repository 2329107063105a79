import { once } from "node:events";
import { createServer } from "node:net";
import { UserError } from "../user-error.ts";
import { serviceNames } from "./service-names.ts";
import { portVariables } from "./stack-settings.ts";
import type { StackSettings } from "./stack-settings.ts";

/** A port that a stack wants. */
export interface WantedPort {
  port: number;
  /** What it is for. */
  use: string;
  /** How another one is chosen. */
  setting: string;
  /** Address it listens on; all when absent. */
  host?: string;
}

/** Every port of a stack with these settings. */
export function portsOfStack(settings: StackSettings): WantedPort[] {
  const services = serviceNames.flatMap((name): WantedPort[] => {
    const variables = portVariables(name);
    const { port, grpcPort } = settings.ports[name];
    const host = "127.0.0.1";
    return [
      { port, use: `the ${name} service`, setting: variables.port, host },
      { port: grpcPort, use: `gRPC of the ${name} service`, setting: variables.grpcPort, host },
    ];
  });
  return [
    { port: settings.gatewayPort, use: "the gateway", setting: "--port or PORT" },
    ...services,
  ];
}

/**
 * Makes sure that every port is free before anything is started.
 *
 * @throws UserError naming the first one that is not.
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const { port, use, setting, host } of wanted) {
    const problem = await portProblem(port, host);
    if (problem !== undefined) {
      throw new UserError(`Port ${port}, for ${use}, ${problem}; choose another by ${setting}.`);
    }
  }
}

/** Why a port cannot be listened on, as the rest of a sentence; undefined when it can. */
export async function portProblem(port: number, host?: string): Promise<string | undefined> {
  if (port === 0) return undefined;
  const server = createServer();
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) });
    await once(server, "listening");
    server.close();
    await once(server, "close");
    return undefined;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") return "is in use by another process";
    return code === "EACCES" ? "needs more rights" : "cannot be listened on";
  }
}
