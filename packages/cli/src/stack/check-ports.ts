import { serviceNames, serviceVariables } from "@storefront/process";
import { once } from "node:events";
import { createServer } from "node:net";
import { UserError } from "../user-error.ts";
import type { StackSettings } from "./stack-environment.ts";

/**
 * Ports that browsers and `fetch` refuse to connect to, because other protocols are spoken there.
 *
 * Source: https://fetch.spec.whatwg.org/#port-blocking
 */
export const blockedPorts: ReadonlySet<number> = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** A port that a stack needs. */
export interface WantedPort {
  port: number;
  /** Its purpose. */
  use: string;
  /** Setting that changes it. */
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

/** The first port that cannot be used, with the reason as the rest of a sentence. */
export async function firstBlockedPort(
  wanted: readonly WantedPort[],
): Promise<(WantedPort & { problem: string }) | undefined> {
  for (const one of wanted) {
    const problem = await portProblem(one);
    if (problem !== undefined) return { ...one, problem };
  }
  return undefined;
}

/**
 * Makes sure that every port can be used before anything is started.
 *
 * @throws UserError naming the first one that cannot.
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  const blocked = await firstBlockedPort(wanted);
  if (blocked === undefined) return;
  const { port, use, problem, setting } = blocked;
  throw new UserError(`Port ${port}, for ${use}, ${problem}; choose another by ${setting}.`);
}

/** The reason that a port cannot be used, as the rest of a sentence; undefined when it can. */
async function portProblem({ port, host, isForBrowsers }: WantedPort): Promise<string | undefined> {
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
