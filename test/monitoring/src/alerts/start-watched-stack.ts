import { serviceNames } from "@storefront/process";
import { freePort, noOtherStack, runCli } from "@storefront/testkit";
import { RestartableProgram, startRestartablePostgres } from "./restartable.ts";
import type { RestartablePostgres } from "./restartable.ts";

const names = [...serviceNames, "webhooks", "gateway"] as const;

export type ProcessName = (typeof names)[number];

/** The whole stack, each part a process of its own. */
export interface WatchedStack {
  readonly postgres: RestartablePostgres;
  readonly processes: Readonly<Record<ProcessName, RestartableProgram>>;
  /** `host:port` of each process's metrics, the same after each start. */
  readonly metricsAddresses: readonly string[];
  readonly gatewayUrl: string;
  readonly webhooksUrl: string;
  /** `host:port` of a service's gRPC port. */
  readonly grpcAddress: (name: ProcessName) => string;
  close(): Promise<void>;
}

export const ingestToken = "a-token-for-alerts";
export const adminToken = "an-admin-token-for-alerts";

/** Of a client that never reaches its rate limit. */
export const apiKey = "a-key-for-alerts";

/** Most streams of the gateway. */
export const streamsMax = 10;

const host = "127.0.0.1";

/** Starts it on a PostgreSQL of its own. */
export async function startWatchedStack(): Promise<WatchedStack> {
  await using started = new AsyncDisposableStack();
  const postgres = started.adopt(await startRestartablePostgres(), (used) => used.close());
  const databaseUrl = { DATABASE_URL: postgres.url };
  const { status, stderr } = await runCli(["migrate"], {
    env: { ...noOtherStack, ...databaseUrl },
  });
  if (status !== 0) throw new Error(`The database was not migrated:\n${stderr}`);

  const ports = new Map<string, number>();
  for (const name of names) {
    ports.set(name, await freePort());
    // The gateway serves its metrics there.
    ports.set(`${name} gRPC`, await freePort());
  }
  const urlOf = (name: ProcessName) => `http://${host}:${ports.get(name)}`;
  const urls = Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_URL`, urlOf(name)]));
  const common = { ...urls, HOST: host, SHUTDOWN_DELAY_SECONDS: "0", ADMIN_TOKEN: adminToken };
  const ownOf = (name: ProcessName): Record<string, string> => {
    const port = String(ports.get(name));
    const second = String(ports.get(`${name} gRPC`));
    if (name === "gateway") {
      return {
        PORT: port,
        METRICS_PORT: second,
        STREAMS_MAX: String(streamsMax),
        // A fraction of the requests of `askTooMuch`.
        RATE_LIMIT_PER_MINUTE: "60",
        API_KEYS: `drill:${apiKey}:1000000`,
        // Calls wait for a hanging service; a breaker would make them fail at once, before enough of them are slow.
        BREAKER_FAILURES_MAX: "10000",
      };
    }
    const prefix = name.toUpperCase();
    return {
      ...databaseUrl,
      INGEST_TOKEN: ingestToken,
      [`${prefix}_PORT`]: port,
      [`${prefix}_GRPC_PORT`]: second,
      ...(name === "search" && { EMBEDDER: "none" }),
      // So few that calls wait for a connection as soon as two statements hang.
      ...(name === "pricing" && { DATABASE_POOL_SIZE: "2" }),
      ...(name === "webhooks" && { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" }),
    };
  };
  const programs = names.map((name) => {
    const folder = name === "gateway" ? "gateway" : `services/${name}`;
    const program = new RestartableProgram({
      main: `${folder}/src/main.ts`,
      env: { ...common, ...ownOf(name) },
      // So few that idle connections can be most of them; the service itself has some 30.
      ...(name === "reviews" && { openFilesMax: 100 }),
    });
    started.defer(() => program.kill());
    return [name, program] as const;
  });
  await Promise.all(programs.map(([, program]) => program.start()));
  const resources = started.move();
  return {
    postgres,
    processes: Object.fromEntries(programs) as Record<ProcessName, RestartableProgram>,
    metricsAddresses: names.map(
      (name) => `${host}:${ports.get(name === "gateway" ? "gateway gRPC" : name)}`,
    ),
    gatewayUrl: urlOf("gateway"),
    webhooksUrl: urlOf("webhooks"),
    grpcAddress: (name) => `${host}:${ports.get(`${name} gRPC`)}`,
    close: () => resources.disposeAsync(),
  };
}
