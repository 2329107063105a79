import { spawn } from "node:child_process";
import { once } from "node:events";
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
 * @param env every variable that it has.
 */
export async function runMain(
  program: URL,
  env: Readonly<Record<string, string>>,
): Promise<EndedProcess> {
  const child = spawn(process.execPath, [fileURLToPath(program)], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [stderr] = await Promise.all([text(child.stderr), once(child, "close")]);
  return { status: child.exitCode, stderr };
}
