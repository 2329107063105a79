import { findProgram } from "./find-program.ts";
import { freePort } from "./free-port.ts";
import { startProcess } from "./server-process.ts";
import type { TestServer } from "./server-process.ts";

/** Whether a Redis server is installed on this machine. */
export function isRedisInstalled(): boolean {
  return findProgram("redis-server") !== undefined;
}

/**
 * Starts a Redis server of its own without persistence.
 *
 * @param port to listen on; default a free one. Give it to restart a stopped server.
 */
export async function startRedis(port?: number): Promise<TestServer> {
  const program = findProgram("redis-server");
  if (program === undefined) throw new Error("Redis is not installed.");
  const ownPort = port ?? (await freePort());
  const stop = await startProcess({
    program,
    parameters: ["--bind", "127.0.0.1", "--port", String(ownPort), "--save", ""],
    readyText: "Ready to accept connections",
    stopSignal: "SIGTERM",
  });
  return { url: `redis://127.0.0.1:${ownPort}`, stop };
}
