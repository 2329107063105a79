import { createClient } from "@connectrpc/connect";
import { serviceNames, serviceVariables } from "@storefront/config";
import type { Environment, ServiceName } from "@storefront/config";
import { HealthService, HealthStatus } from "@storefront/contracts/health/v1/health_service";
import { createTransport } from "@storefront/rpc";
import type { TlsCredentials } from "@storefront/rpc";
import { openClientTls } from "../stack/open-client-tls.ts";
import type { RunningStack } from "../stack/stack-file.ts";
import { messageOf } from "../user-error.ts";
import { fine, wrong } from "./check.ts";
import type { Check } from "./check.ts";

// A health check probes for 1.5 s at most.
const timeoutMs = 3000;

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
export async function checkServices(
  stack: RunningStack | undefined,
  env: Environment,
): Promise<Check[]> {
  const tls = await openClientTls(env);
  const checks = await Promise.all(
    serviceNames.map(async (service) => {
      const url = env[serviceVariables(service).url] || stack?.services[service]?.url;
      const name = `${service} service`;
      return url === undefined
        ? fine(name, "no stack runs here")
        : await checkService(service, name, { url, tls });
    }),
  );
  tls?.close();
  return checks;
}

async function checkService(
  service: ServiceName,
  name: string,
  { url, tls }: { url: string; tls: TlsCredentials | undefined },
): Promise<Check> {
  const transport = createTransport({ baseUrl: url, tls });
  try {
    const client = createClient(HealthService, transport);
    const { status, dependencies } = await client.checkHealth({}, { timeoutMs });
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
  } finally {
    await transport.close();
  }
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
