import { serviceNames, serviceVariables } from "@storefront/config";
import { once } from "node:events";
import { createServer } from "node:net";
import { UserError } from "../user-error.ts";
import { blockedPorts } from "./blocked-ports.ts";
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
  /** Whether browsers have to reach it. */
  isForBrowsers?: boolean;
}

/** Every port of a stack with these settings. */
export function portsOfStack(settings: StackSettings): WantedPort[] {
  const services = serviceNames.flatMap((name): WantedPort[] => {
    const variables = serviceVariables(name);
    const { port, grpcPort } = settings.ports[name];
    const host = "127.0.0.1";
    return [
      { port, use: `the ${name} service`, setting: variables.port, host },
      { port: grpcPort, use: `gRPC of the ${name} service`, setting: variables.grpcPort, host },
    ];
  });
  return [
    {
      port: settings.gatewayPort,
      use: "the gateway",
      setting: "--port or PORT",
      isForBrowsers: true,
    },
    ...services,
  ];
}

/**
 * Makes sure that every port can be used before anything is started.
 *
 * @throws UserError naming the first one that is not.
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const wantedPort of wanted) {
    const { port, use, setting } = wantedPort;
    const problem = await portProblem(wantedPort);
    if (problem !== undefined) {
      throw new UserError(`Port ${port}, for ${use}, ${problem}; choose another by ${setting}.`);
    }
  }
}

/** Why a port cannot be used, as the rest of a sentence; undefined when it can. */
export async function portProblem({
  port,
  host,
  isForBrowsers,
}: WantedPort): Promise<string | undefined> {
  if (port === 0) return undefined;
  if (isForBrowsers === true && blockedPorts.has(port)) return "is one that browsers refuse";
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
