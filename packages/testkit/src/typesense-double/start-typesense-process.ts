import { fileURLToPath } from "node:url";
import { freePort } from "../servers/free-port.ts";
import { startProcess } from "../servers/server-process.ts";
import type { TestServer } from "../servers/server-process.ts";

const program = fileURLToPath(new URL("main.ts", import.meta.url));

/**
 * Starts a double of Typesense in a process of its own, for tests whose own work would keep it from answering
 * in time.
 *
 * @param apiKey the only key that is accepted
 */
export async function startTypesenseProcess(apiKey: string): Promise<TestServer> {
  const port = String(await freePort());
  const stop = await startProcess({
    program: process.execPath,
    parameters: [program, "--port", port, "--api-key", apiKey],
    readyText: "listens on",
    stopSignal: "SIGTERM",
  });
  return { url: `http://127.0.0.1:${port}`, stop };
}
