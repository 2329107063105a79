import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@storefront/testkit";
import type { StackAddresses } from "@storefront/testkit";

const program = fileURLToPath(new URL("../../../../gateway/src/main.ts", import.meta.url));

const readyTimeoutMs = 20_000;
const pollIntervalMs = 50;

/** A gateway in a process of its own, as it is deployed. */
export interface GatewayProcess {
  url: string;
  metricsUrl: string;
  pid: number;
  stop(): Promise<void>;
}

/**
 * Starts a gateway for running services.
 *
 * @param env variables in addition to its port and the services' addresses
 * @throws Error when it does not respond within 20 s
 */
export async function startGatewayProcess(
  services: StackAddresses["services"],
  env: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  const port = await freePort();
  const metricsPort = await freePort();
  const addresses = Object.entries(services).map(([name, { url }]) => [
    `${name.toUpperCase()}_URL`,
    url,
  ]);
  const gateway = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      NODE_ENV: "production",
      ...Object.fromEntries(addresses),
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      HOST: "127.0.0.1",
      LOG_LEVEL: "warn",
      ...env,
    },
    // Standard output is reserved for the bench.
    stdio: ["ignore", "ignore", "inherit"],
  });
  const exited = once(gateway, "exit");
  const stop = async (): Promise<void> => {
    gateway.kill();
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  const deadlineAtMs = performance.now() + readyTimeoutMs;
  for (;;) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok === true && gateway.pid !== undefined) {
      return { url, metricsUrl, pid: gateway.pid, stop };
    }
    if (gateway.exitCode !== null || performance.now() > deadlineAtMs) {
      await stop();
      throw new Error("The gateway did not become healthy.");
    }
    await sleep(pollIntervalMs);
  }
}
