import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * Builds the pages of the present sources, as `buildPages` does, in a process that ends: what a build
 * takes, some 400 MiB, a process that goes on would never give back. It ends with the process that waits
 * for it, also when that is killed.
 *
 * @param ending ends it early; then it rejects.
 * @throws Error with what the build said when it failed
 */
export async function buildPagesAside(ending: AbortSignal): Promise<void> {
  const child = fork(program, [], {
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    // What this process was given to run with may be a test's or a profiler's.
    execArgv: [],
    signal: ending,
  });
  const saying = child.stderr === null ? "" : text(child.stderr);
  const [said, [status, signal]] = await Promise.all([saying, once(child, "close")]);
  if (status !== 0) throw new Error(said.trim() || `the build ended with ${signal ?? status}`);
}
