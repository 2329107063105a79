import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "./free-port.ts";
import type { TestServer } from "./server-process.ts";
import { typesenseProgram } from "./typesense-program.ts";

/** Key of the servers that tests start. */
export const testApiKey = "test";

/** A Typesense server that can be killed. */
export interface TypesenseServer extends TestServer {
  readonly apiKey: string;
  /** Ends the process at once and keeps its files. */
  kill(): Promise<void>;
}

/** Data directory and ports of a server. */
export interface TypesenseOptions {
  /** Created if it is missing and never removed; default a temporary one, removed by `stop`. */
  directory?: string;
  /** Of the API; default a free one. Give both to restart a server that was killed. */
  port?: number;
  /** Makes it a node of a cluster: its peering port, and all nodes as Typesense lists them. */
  cluster?: { peeringPort: number; nodes: string };
}

/**
 * Starts a Typesense server of its own; resolves when it is healthy.
 *
 * @throws Error with the server's log, when it ends before it is healthy.
 */
export async function startTypesense(options: TypesenseOptions = {}): Promise<TypesenseServer> {
  const program = await typesenseProgram();
  const directory = options.directory ?? (await mkdtemp(join(tmpdir(), "storefront-typesense-")));
  const data = join(directory, "data");
  await mkdir(data, { recursive: true });
  const port = options.port ?? (await freePort());
  const url = `http://127.0.0.1:${port}`;
  const logPath = join(directory, "log");
  const log = await open(logPath, "a");
  const { cluster } = options;
  const nodesPath = join(directory, "nodes");
  if (cluster !== undefined) await writeFile(nodesPath, cluster.nodes);
  const flags = {
    "--data-dir": data,
    "--api-key": testApiKey,
    "--api-address": "127.0.0.1",
    "--api-port": String(port),
    "--peering-address": "127.0.0.1",
    "--peering-port": String(cluster?.peeringPort ?? (await freePort())),
    ...(cluster !== undefined && { "--nodes": nodesPath }),
  };
  const child = spawn(program, Object.entries(flags).flat(), { stdio: ["ignore", log.fd, log.fd] });
  await log.close();
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "close");
    child.kill("SIGKILL");
    await ended;
  };
  if (!(await isHealthy(url, child))) {
    throw new Error(`Typesense ended before it was healthy:\n${await readFile(logPath, "utf8")}`);
  }
  return {
    url,
    apiKey: testApiKey,
    kill,
    async stop() {
      await kill();
      if (options.directory === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Resolves with true when the server is healthy, with false when its process has ended. */
async function isHealthy(url: string, child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    const response = await fetch(`${url}/health`).catch(() => undefined);
    if (response?.ok === true) return true;
    await wait(50);
  }
  return false;
}
