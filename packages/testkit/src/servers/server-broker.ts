import { once } from "node:events";
import { createServer } from "node:http";
import type { TestServer } from "./server-process.ts";

/** Starts named servers on request over HTTP. */
export interface ServerBroker {
  /** `GET <url>/<name>` returns the server's URL as text; each `<url>/<name>/<key>` has a server of its own. */
  url: string;
  /** Stops the broker and every server that it started. */
  stop(): Promise<void>;
}

/**
 * Starts each server once, when a test file first requests it: test files run in processes of their own,
 * and a run that needs no server should not wait for one.
 */
export async function startServerBroker(
  starters: Readonly<Record<string, () => Promise<TestServer>>>,
): Promise<ServerBroker> {
  const started = new Map<string, Promise<TestServer>>();
  const server = createServer((request, response) => {
    const name = (request.url ?? "/").slice(1);
    const starter = starters[name.split("/")[0] ?? ""];
    if (starter === undefined) {
      response.writeHead(404).end();
      return;
    }
    const running = started.get(name) ?? starter();
    started.set(name, running);
    running.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The broker has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      const running = await Promise.allSettled(started.values());
      // In reverse order: later ones may use earlier ones.
      for (const result of running.toReversed()) {
        if (result.status === "fulfilled") await result.value.stop();
      }
    },
  };
}

/** Requests a server's URL from a broker. */
export async function askServerBroker(brokerUrl: string, name: string): Promise<string> {
  const response = await fetch(`${brokerUrl}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`The test server ${name} did not start: ${text}`);
  return text;
}
