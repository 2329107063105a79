import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export interface ReceivedWebhook {
  id: string;
  type: string;
  data: unknown;
  headers: Record<string, string>;
  /** The bytes that are signed. */
  body: string;
}

/** An endpoint over HTTP. */
export interface Receiver {
  readonly url: string;
  /** All received webhooks, including refused ones. */
  readonly received: readonly ReceivedWebhook[];
  /** Decides the status of a response; undefined never responds. */
  respondWith(choose: (webhook: ReceivedWebhook) => number | undefined): void;
  /** Cuts off its connections, responses in progress too, and listens again at the same address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const received: ReceivedWebhook[] = [];
  let choose: (webhook: ReceivedWebhook) => number | undefined = () => 204;
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    const { type, data } = JSON.parse(body) as { type: string; data: unknown };
    const webhook = { id: headers["webhook-id"] ?? "", type, data, headers, body };
    received.push(webhook);
    const status = choose(webhook);
    if (status !== undefined) response.writeHead(status, { location: "/other" }).end();
  }
  const server = createServer((request, response) => {
    // A killed sender aborts its request.
    receive(request, response).catch(() => response.destroy());
  });
  const listen = async (port: number) => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  const port = await listen(0);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    respondWith(next) {
      choose = next;
    },
    async restart() {
      await close();
      await listen(port);
    },
    close,
  };
}

/** Throws unless the official library accepts the signature. */
export function verify(secret: string, { body, headers }: ReceivedWebhook): void {
  new Webhook(secret).verify(body, headers);
}
