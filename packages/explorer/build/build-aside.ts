import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * Builds the pages of the present sources, as `buildPages` does, in a process that ends: what a build
 * takes, some 400 MiB, a process that goes on would never give back.
 *
 * @throws Error with what the build said when it failed
 */
export async function buildPagesAside(): Promise<void> {
  const child = spawn(process.execPath, [program], { stdio: ["ignore", "ignore", "pipe"] });
  const [said, [status, signal]] = await Promise.all([text(child.stderr), once(child, "close")]);
  if (status !== 0) throw new Error(said.trim() || `the build ended with ${signal ?? status}`);
}
