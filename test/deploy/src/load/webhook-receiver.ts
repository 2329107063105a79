import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { clusterAddress } from "./cluster-address.ts";

const zEntryEvent = z.object({
  type: z.literal("entry.created"),
  data: z.object({ _id: z.string() }),
});

/** An endpoint that receives a webhook of entries. */
export interface WebhookReceiver {
  /** Ids of the entries that were sent to it. */
  readonly entryIds: ReadonlySet<string>;
  close(): Promise<void>;
}

/** The gateway, the address at which the cluster reaches this machine, and the token to create webhooks. */
export interface WebhookReceiverOptions {
  gateway: { host: string; port: number };
  ownAddress: string;
  adminToken: string;
}

/** Starts an endpoint, and creates its webhook. */
export async function startWebhookReceiver(
  options: WebhookReceiverOptions,
): Promise<WebhookReceiver> {
  const { ownAddress } = options;
  const entryIds = new Set<string>();
  const receive = async (request: IncomingMessage) => {
    const { _id: id } = zEntryEvent.parse(await json(request)).data;
    entryIds.add(id);
  };
  const server = createServer((request, response) => {
    const status = receive(request).then(
      () => 204,
      () => 400,
    );
    void status.then((code) => response.writeHead(code).end());
  }).listen(0, clusterAddress(ownAddress));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  };
  try {
    await createWebhook(options, `http://${ownAddress}:${port}/`);
  } catch (error) {
    await close();
    throw error;
  }
  return { entryIds, close };
}

async function createWebhook(
  { gateway: { host, port }, adminToken }: WebhookReceiverOptions,
  url: string,
): Promise<void> {
  const response = await fetch(`http://${clusterAddress(host)}:${port}/webhooks`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ url, events: ["entry"] }),
  });
  if (!response.ok) throw new Error(`/webhooks: ${response.status} ${await response.text()}`);
}
