import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { z } from "zod";

const zNotification = z.object({
  alerts: z.array(
    z.object({
      status: z.enum(["firing", "resolved"]),
      labels: z.record(z.string(), z.string()),
      annotations: z.record(z.string(), z.string()),
    }),
  ),
});

/** An alert as Alertmanager sent it. */
export type ReceivedAlert = z.output<typeof zNotification>["alerts"][number];

/** Receives the alerts of Alertmanager, and webhooks. */
export interface Receiver {
  readonly url: string;
  /** The alerts that were sent to a path, in order. */
  alertsAt(path: string): readonly ReceivedAlert[];
  stop(): Promise<void>;
}

/** Starts a receiver; the path `/events` takes anything. */
export async function startReceiver(): Promise<Receiver> {
  const received = new Map<string, ReceivedAlert[]>();
  const receive = async (path: string, request: IncomingMessage) => {
    const body = await text(request);
    if (path === "/events") return;
    const { alerts } = zNotification.parse(JSON.parse(body));
    received.set(path, [...(received.get(path) ?? []), ...alerts]);
  };
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    void receive(path, request).finally(() => response.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    alertsAt: (path) => received.get(path) ?? [],
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
