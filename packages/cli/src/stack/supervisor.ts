import type { Environment, ServiceName, ServicePorts } from "@storefront/process";
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { getCompileCacheDir } from "node:module";
import { fileURLToPath } from "node:url";
import { Backoff } from "@storefront/rpc/backoff";
import { messageOf, UserError } from "../user-error.ts";
import type { FromServices, ToServices } from "./services-process.ts";
import { withPorts } from "./stack-environment.ts";

/** Restarts the services process whenever it ends. */
export interface Supervisor {
  /** Ports of the services; the same after every restart. */
  readonly ports: Readonly<Record<ServiceName, ServicePorts>>;
  /** Lets search and webhooks follow the writes of the others, also after a restart. */
  startIndexing(): void;
  /** Lets the services drain and close; kills them when they take too long. */
  close(): Promise<void>;
  /** Ends the services at once. */
  kill(): void;
}

const program = fileURLToPath(new URL("services-process.ts", import.meta.url));

// The services restart within 10 s, as documented; starting takes up to some seconds.
const firstRestartDelayMs = 100;
const longestRestartDelayMs = 5000;

/** Saves memory for a tenth of speed: new objects get a few MiB. */
const heapOptions = ["--max-semi-space-size=4"];

/**
 * Makes the C library release blocks of this size when they are freed. By default it raises the threshold with
 * each large block, such as those of the compiler, and retains smaller ones: a third of the memory of the
 * services. A variable of glibc; other systems ignore it.
 */
const trimThreshold = { MALLOC_TRIM_THRESHOLD_: "131072" };

/** Longest orderly end of the services, in milliseconds: a little more than they take themselves. */
const closeTimeoutMs = 17_000;

/**
 * Starts the services in a process of their own and restarts them whenever they end.
 *
 * @param note called for every end and restart.
 * @throws UserError when they cannot start the first time.
 */
export async function startSupervisor(
  env: Environment,
  note: (line: string) => void,
): Promise<Supervisor> {
  const closing = new AbortController();
  const backoff = new Backoff(firstRestartDelayMs, longestRestartDelayMs);
  let isIndexing = false;
  let child = forkServices(env);
  const ports = await portsWhenReady(child);
  // A restarted process listens on the ports that the gateway uses.
  const pinned = withPorts(env, ports);

  const keepAlive = () => {
    child.once("exit", (code, signal) => {
      if (closing.signal.aborted) return;
      note(`The services ended (${signal ?? `status ${code}`}); they restart.`);
      void restart();
    });
  };
  const restart = async () => {
    await backoff.wait(closing.signal);
    if (closing.signal.aborted) return;
    child = forkServices(pinned);
    try {
      await portsWhenReady(child);
      if (isIndexing) send(child, { type: "index" });
      backoff.reset();
      note("The services are back.");
      keepAlive();
    } catch (error) {
      if (closing.signal.aborted) return;
      note(messageOf(error));
      await restart();
    }
  };
  keepAlive();

  return {
    ports,
    startIndexing() {
      isIndexing = true;
      send(child, { type: "index" });
    },
    async close() {
      closing.abort();
      await endProcess(child, () => send(child, { type: "stop" }), closeTimeoutMs);
    },
    kill() {
      closing.abort();
      child.kill("SIGKILL");
    },
  };
}

function forkServices(env: Environment): ChildProcess {
  // Standard output is for the command's own result; the services' log goes to standard error.
  const child = fork(program, [], {
    stdio: ["ignore", 2, 2, "ipc"],
    execArgv: [...process.execArgv, ...heapOptions],
    env: { ...trimThreshold, ...process.env, NODE_COMPILE_CACHE: getCompileCacheDir() },
  });
  // An end before the message is sent is reported by `exit`.
  child.on("error", () => undefined);
  send(child, { type: "start", env });
  return child;
}

function send(child: ChildProcess, message: ToServices): void {
  if (child.connected) child.send(message, () => undefined);
}

async function portsWhenReady(child: ChildProcess): Promise<Record<ServiceName, ServicePorts>> {
  return await new Promise((resolve, reject) => {
    child.on("message", (message: FromServices) => {
      if (message.type === "ready") resolve(message.ports);
      else reject(new UserError(message.message));
    });
    child.once("exit", (code, signal) => {
      const how = signal ?? `status ${code}`;
      reject(new UserError(`The services ended while they were starting (${how}).`));
    });
  });
}

export function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/**
 * Shuts a process down.
 *
 * @param request sends the request to end.
 * @param limitMs milliseconds until it is killed.
 */
export async function endProcess(
  child: ChildProcess,
  request: () => void,
  limitMs: number,
): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  request();
  const timeout = setTimeout(() => child.kill("SIGKILL"), limitMs);
  await ended;
  clearTimeout(timeout);
}
