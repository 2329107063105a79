import { serviceNames, serviceVariables } from "@storefront/process";
import type { ServiceName } from "@storefront/process";
import { freePort, makeTemporaryDirectory, startPostgres } from "@storefront/testkit";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const bundler = join(import.meta.dirname, "../../../deploy/bundle/src/main.ts");

/** Interval of readiness checks during a start; it counts towards the measured time. */
const askIntervalMs = 2;

/** A service that is ready. */
export interface ReadyService {
  /** From the start of the process until `/readyz` returned 200, in milliseconds. */
  startMs: number;
  /** Resident memory, in MiB. */
  residentMiB(): Promise<number>;
  stop(): Promise<void>;
}

/** The services as they are deployed, on a migrated PostgreSQL. */
export interface BundledServices {
  start(name: ServiceName): Promise<ReadyService>;
  stop(): Promise<void>;
}

/** Bundles the services and starts PostgreSQL. */
export async function prepareBundledServices(): Promise<BundledServices> {
  const directory = await makeTemporaryDirectory();
  const postgres = await startPostgres();
  const env = { DATABASE_URL: postgres.url, INGEST_TOKEN: "a token for the bench only" };
  await run(process.execPath, [bundler, "--out", directory.path, "cli", ...serviceNames]);
  await run(process.execPath, [join(directory.path, "cli/main.js"), "migrate"], { env });
  return {
    async start(name) {
      const { port, grpcPort } = serviceVariables(name);
      const variables = { [port]: String(await freePort()), [grpcPort]: "0" };
      const startedAtMs = performance.now();
      const child = spawn(process.execPath, [join(directory.path, name, "main.js")], {
        env: { ...env, ...variables, SHUTDOWN_DELAY_SECONDS: "0", LOG_LEVEL: "warn" },
        stdio: ["ignore", "ignore", "inherit"],
      });
      const ended = once(child, "exit");
      while (!(await isReady(`http://127.0.0.1:${variables[port]}/readyz`))) {
        if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`);
        await sleep(askIntervalMs);
      }
      const startMs = performance.now() - startedAtMs;
      return {
        startMs,
        async residentMiB() {
          const status = await readFile(`/proc/${child.pid}/status`, "utf8");
          return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
        },
        async stop() {
          child.kill();
          await ended;
        },
      };
    },
    async stop() {
      await postgres.stop();
      await directory.remove();
    },
  };
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response?.status === 200;
}
