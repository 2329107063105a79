import { createClient } from "@connectrpc/connect";
import { serviceNames, serviceVariables } from "@storefront/config";
import { HealthService, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import type { RunningStack } from "../stack/stack-file.ts";
import { messageOf } from "../user-error.ts";
import { askService, timeoutMs, urlOf } from "./ask-service.ts";
import type { ExaminedStack } from "./ask-service.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

/** Whether the process that left its addresses is alive. */
export function isRunning({ pid }: RunningStack): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, as another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Asks each service how it is, where the environment or the running stack tells its address. */
export async function checkServices(stack: ExaminedStack): Promise<Check[]> {
  return await Promise.all(
    serviceNames.map(async (service) => {
      const url = urlOf(service, stack);
      const name = `${service} service`;
      if (url === undefined) return fine(name, "no stack runs here");
      try {
        const { status, dependencies } = await askService(url, stack, (transport) =>
          createClient(HealthService, transport).checkHealth({}, { timeoutMs }),
        );
        if (status === HealthStatus.OK) return fine(name, `well, at ${url}`);
        const failing = dependencies
          .filter((dependency) => dependency.status !== HealthStatus.OK)
          .map((dependency) => dependency.name);
        return wrong(name, `It cannot reach ${failing.join(", ")}.`, "Check the database.");
      } catch (error) {
        return wrong(
          name,
          `It does not answer at ${url}: ${messageOf(error)}.`,
          `Wait some seconds, or start the stack again (${serviceVariables(service).url}).`,
        );
      }
    }),
  );
}

/** Asks the running stack's gateway for its health. */
export async function checkGateway(stack: RunningStack | undefined): Promise<Check[]> {
  const name = "gateway";
  if (stack === undefined) return [];
  const url = `${stack.gatewayUrl}/health`;
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return [
      response.ok
        ? fine(name, `well, at ${stack.gatewayUrl}`)
        : wrong(name, `${url} answers ${response.status}.`, "See the services above."),
    ];
  } catch (error) {
    return [wrong(name, `${url} does not answer: ${messageOf(error)}.`, "Start the stack again.")];
  }
}
