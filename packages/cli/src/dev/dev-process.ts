import type { Environment } from "@storefront/process";
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { getCompileCacheDir } from "node:module";
import { sep } from "node:path";
import { createInterface } from "node:readline";
import { endProcess, hasEnded } from "../stack/supervisor.ts";

/** How a process is run. */
export interface DevProcessOptions {
  /** Path of its main module. */
  program: string;
  parameters: readonly string[];
  env: Environment;
  /** Port of its inspector; undefined for none. */
  inspectPort: number | undefined;
  /** Directory of files that it reads when it starts, besides its modules. */
  startFiles: string | undefined;
  /** Writes a line about it. */
  note: (line: string) => void;
}

/** A process that is restarted when its code changes. */
export interface DevProcess {
  /** Restarts it if it has loaded one of these files, or if it has ended unexpectedly. */
  handleChange(paths: ReadonlySet<string>): void;
  /** Shuts it down. */
  stop(): Promise<void>;
  /** Ends it at once. */
  kill(): void;
}

const preload = new URL("report-modules.ts", import.meta.url).href;

/** Longest orderly end, in milliseconds; a process at a breakpoint does not end. */
const stopTimeoutMs = 5000;

/** Database engines are compiled again at each start, which takes half as long without optimisation. */
const quickStart = ["--liftoff-only"];

/** Starts a process; its output is noted line by line. */
export function startDevProcess(options: DevProcessOptions): DevProcess {
  const { program, startFiles, note } = options;
  let loaded = new Set<string>();
  let child = run();
  let stopping: Promise<void> | undefined;
  let isOver = false;

  function run(): ChildProcess {
    loaded = new Set([program]);
    const started = forkProcess(options);
    started.on("message", (path: string) => loaded.add(path));
    started.once("exit", (code, signal) => {
      if (stopping !== undefined || isOver) return;
      note(`ended (${signal ?? `status ${code}`}); the next edit restarts it`);
    });
    return started;
  }

  const end = () => endProcess(child, () => child.kill("SIGTERM"), stopTimeoutMs);

  const isAffected = (path: string) =>
    loaded.has(path) || (startFiles !== undefined && path.startsWith(startFiles + sep));

  const restart = async (cause: string) => {
    note(`restarts: ${cause}`);
    stopping = end();
    await stopping;
    stopping = undefined;
    if (!isOver) child = run();
  };

  return {
    handleChange(paths) {
      // Until the new process has started, it gets every change.
      if (stopping !== undefined || isOver) return;
      const cause = [...paths].find((path) => hasEnded(child) || isAffected(path));
      if (cause === undefined) return;
      restart(cause).catch((error: unknown) => {
        stopping = undefined;
        note(`cannot be restarted: ${String(error)}; the next edit tries again`);
      });
    },
    async stop() {
      isOver = true;
      await (stopping ?? end());
    },
    kill() {
      isOver = true;
      child.kill("SIGKILL");
    },
  };
}

function forkProcess(options: DevProcessOptions): ChildProcess {
  const { program, parameters, env, inspectPort, note } = options;
  const inspect = inspectPort === undefined ? [] : [`--inspect=127.0.0.1:${inspectPort}`];
  const child = fork(program, parameters, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    execArgv: [...quickStart, ...inspect, "--import", preload],
    env: { ...env, NODE_COMPILE_CACHE: getCompileCacheDir() },
    // Ctrl-C reaches every process of the terminal's group; these are stopped in order.
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", note);
  }
  return child;
}
