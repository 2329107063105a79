import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The gateway's streams: logs by path, which resume after an id. */
export interface EventLog {
  readonly url: string;
  append(path: string, ...data: readonly unknown[]): void;
  /** Resolves once a client follows the path. */
  followed(path: string): Promise<void>;
  /** Resolves once no client follows the path. */
  left(path: string): Promise<void>;
  close(): Promise<void>;
}

export async function startEventLog(): Promise<EventLog> {
  const logs = new Map<string, string[]>();
  const clients = new Set<{ path: string; response: ServerResponse }>();
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const logOf = (path: string) => {
    const log = logs.get(path) ?? [];
    logs.set(path, log);
    return log;
  };
  const followedOf = (path: string) => {
    const promise = waiting.get(path) ?? Promise.withResolvers<void>();
    waiting.set(path, promise);
    return promise;
  };
  function respond({ url: path = "", headers }: IncomingMessage, response: ServerResponse): void {
    const log = logOf(path);
    const after = headers["last-event-id"];
    const start = after === undefined ? log.length : Number(after);
    if (start > log.length) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`retry: 1000\n\nid: ${start}\n\n`);
    for (const [index, block] of log.entries()) if (index >= start) response.write(block);
    const client = { path, response };
    clients.add(client);
    response.on("close", () => clients.delete(client));
    followedOf(path).resolve();
  }
  const server = createServer(respond).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    append(path, ...data) {
      const log = logOf(path);
      for (const value of data) {
        const block = `id: ${log.length + 1}\ndata: ${JSON.stringify(value)}\n\n`;
        log.push(block);
        for (const client of clients) if (client.path === path) client.response.write(block);
      }
    },
    followed: (path) => followedOf(path).promise,
    async left(path) {
      const following = [...clients].filter((client) => client.path === path);
      await Promise.all(following.map(({ response }) => once(response, "close")));
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
