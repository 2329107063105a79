import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach } from "vitest";
import { CatalogError } from "../../src/index.ts";

const servers: Server[] = [];

afterEach(async () => {
  await closeServers();
});

/** Closes all servers; also runs after each test. */
export async function closeServers(): Promise<void> {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
}

/** Responds to a request of a test. */
export type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Starts a server with this handler, until the test ends. */
export async function serve(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    void handler(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The error of a call. */
export async function failureOf(call: Promise<unknown>): Promise<CatalogError> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CatalogError)) throw new Error("no CatalogError", { cause: error });
  return error;
}
