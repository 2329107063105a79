import {
  ConfigError,
  createLogger,
  defaultPorts,
  followedFeeds,
  serverNames,
  serviceNames,
} from "@storefront/process";
import type { Environment, ServiceName, ServicePorts } from "@storefront/process";
import { migrate } from "@storefront/database";
import { openService } from "@storefront/service-process";
import type { OpenService, ServiceDefinition, ServiceOptions } from "@storefront/service-process";
import { isForTheUser, messageOf } from "../user-error.ts";
import { loadServices } from "./services.ts";
import { hasWebhooks } from "./webhooks-environment.ts";

// The process of the services, forked by the supervisor.

/** From the supervisor to the services process. */
export type ToServices =
  /** With the environment of every service of the stack; see `stackEnvironment`. */
  | { type: "start"; env: Environment }
  /** The first writes are done, and the gateway serves; search and webhooks may follow them. */
  | { type: "index" }
  | { type: "stop" };

/** From the services process to the supervisor. */
export type FromServices =
  /** All services listen on these ports. */
  | { type: "ready"; ports: Record<ServiceName, ServicePorts> }
  /** They cannot start, for a reason that the user can fix; `message` is one sentence. */
  | { type: "failed"; message: string };

// Longest drain and close, in milliseconds; services drain for 10 s at most.
const closeTimeoutMs = 15_000;

let running: Promise<RunningServices> | undefined;
let isStopping = false;

process.on("message", (message: ToServices) => {
  if (message.type === "start") void start(message.env);
  else if (message.type === "index") void running?.then((all) => all.startIndexing());
  else void stop();
});
// The supervisor has ended, perhaps killed.
process.on("disconnect", () => void stop());
process.on("SIGTERM", () => void stop());
// Ctrl-C reaches every process of the terminal, but the gateway ends first; then comes `stop`.
process.on("SIGINT", () => undefined);

async function start(env: Environment): Promise<void> {
  try {
    running = runServices(env);
    const { ports } = await running;
    send({ type: "ready", ports });
  } catch (error) {
    if (isStopping) return;
    const stack = error instanceof Error ? error.stack : undefined;
    if (!isForTheUser(error)) process.stderr.write(`${stack ?? String(error)}\n`);
    send({ type: "failed", message: messageOf(error) });
    process.exitCode = 1;
    process.disconnect();
  }
}

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(1), closeTimeoutMs).unref();
  await running?.then((all) => all.close()).catch(() => undefined);
  process.exit(process.exitCode ?? 0);
}

function send(message: FromServices): void {
  // The disconnection reports a supervisor that has ended.
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined);
}

/** The running services of an embedded stack. */
interface RunningServices {
  ports: Record<ServiceName, ServicePorts>;
  /** Lets search and webhooks follow the writes of the others. */
  startIndexing(): void;
  /** Drains the services, then closes the database. */
  close(): Promise<void>;
}

/** Only this machine reaches the services of an embedded stack. */
const host = "127.0.0.1";

/**
 * Opens the database, migrates it and serves every service over it.
 *
 * @throws ConfigError with the problems of all of them, DatabaseSetupError,
 * DatabaseUnavailableError, or ListenError when a port is in use.
 */
async function runServices(env: Environment): Promise<RunningServices> {
  const opened: OpenService[] = [];
  const ports = { ...defaultPorts };
  const close = async () => {
    await Promise.all(opened.map((service) => service.close()));
  };
  try {
    for (const { options, migrations } of await optionsOfAll(env)) {
      const followed = followedFeeds[options.name].map(
        (name) => [name, `http://${host}:${ports[name].port}`] as const,
      );
      const logger = createLogger({
        service: options.name,
        level: options.logLevel,
        destination: process.stderr,
      });
      const onWait = (reason: string) => logger.warn({ reason }, "waiting before it migrates");
      const service = await openService(
        { ...options, host, followed: Object.fromEntries(followed) },
        {
          logger,
          isAlone: false,
          prepare: (database) => migrate(database, migrations, { onWait }),
        },
      );
      opened.push(service);
      ports[options.name] = { port: service.server.port, grpcPort: service.server.grpcPort };
    }
  } catch (error) {
    await close();
    throw error;
  }
  const startIndexing = () => {
    for (const service of opened) service.startIndexing();
  };
  return { ports, startIndexing, close };
}

/** @throws ConfigError with the problems of all services. */
async function optionsOfAll(
  env: Environment,
): Promise<(Pick<ServiceDefinition, "migrations"> & { options: ServiceOptions })[]> {
  const problems: ConfigError["problems"][number][] = [];
  const names = hasWebhooks(env) ? serverNames : serviceNames;
  const all = (await loadServices(names)).flatMap(({ optionsOf, migrations }) => {
    try {
      return [{ options: optionsOf(env), migrations }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.problems);
      return [];
    }
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return all;
}
