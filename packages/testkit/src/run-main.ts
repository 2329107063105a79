import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** What a process left that has ended. */
export interface EndedProcess {
  /** Exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly stderr: string;
}

/**
 * Runs a program that ends by itself, in a process of its own.
 *
 * @param program file URL of its main module.
 * @param env every variable that it has, beside the compile cache of the tests.
 */
export async function runMain(
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<EndedProcess> {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { status: child.exitCode, stderr };
}

/** A process that serves. */
export interface StartedMain {
  /** Port of its HTTP listener, as its log says. */
  readonly port: number;
  /** Sends it SIGTERM. */
  tellToEnd(): void;
  /** Resolves with its exit status; null when a signal ended it. */
  readonly ended: Promise<number | null>;
}

/**
 * Runs a program that serves, in a process of its own; resolves when it listens.
 *
 * @param program file URL of its main module.
 * @param env every variable that it has, beside the compile cache of the tests; it must log at level
 * `info`.
 */
export async function startMain(
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<StartedMain> {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env: { NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => child.exitCode);
  const lines = createInterface(child.stdout);
  const listening = Promise.withResolvers<number>();
  lines.on("line", (line) => {
    const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
    if (msg === "listening" && port !== undefined) listening.resolve(port);
  });
  const early = ended.then((status) => {
    throw new Error(`it ended with status ${status} before it listened`);
  });
  const port = await Promise.race([listening.promise, early]);
  early.catch(() => undefined);
  return { port, tellToEnd: () => child.kill("SIGTERM"), ended };
}
