import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("make-cluster.ts", import.meta.url));

/**
 * Makes PGlite's files in a directory that is not there yet, by a process that ends: making them takes
 * some 400 MiB, which a process that goes on would never give back.
 *
 * @throws Error with what was said when it failed
 */
export async function makeClusterAside(directory: string): Promise<void> {
  const child = fork(program, [directory], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // What this process was given to run with may be a test's or a profiler's.
    execArgv: [],
  });
  const saying = child.stderr === null ? "" : text(child.stderr);
  const [said, [status, signal]] = await Promise.all([saying, once(child, "close")]);
  if (status !== 0) {
    throw new Error(`No database was made (${signal ?? `status ${status}`}): ${said.trim()}`);
  }
}
