import { migrate, openDatabase } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { EndpointStore, Webhooks, webhooksMigrations } from "@storefront/service-webhooks";
import { startPostgres } from "@storefront/testkit";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { percentile } from "../percentile.ts";
import { limitRow } from "../row.ts";

const endpoints = 1000;
const perSecond = 200;
const seconds = 20;
const events = seconds * perSecond;

/** One in ten endpoints fails, one in twenty never responds. */
function behaviourOf(endpoint: number): "fails" | "hangs" | "responds" {
  if (endpoint % 10 === 1) return "fails";
  return endpoint % 20 === 2 ? "hangs" : "responds";
}

/** How late a webhook is at an endpoint that responds, whatever the others do. */
export const webhookDelivery = limitRow({
  number: 38,
  case: "p99 ms from an event in the gateway's stream to its webhook, 200 events/s, each for one of 1,000 endpoints, of which 10 % fail and 5 % hang; peer: the limit",
  limit: 1000,
  async measure(report) {
    await using started = new AsyncDisposableStack();
    const postgres = started.adopt(await startPostgres(), (used) => used.stop());
    const database = started.adopt(await openDatabase({ url: postgres.url }), (used) =>
      used.close(),
    );
    await migrate(database, webhooksMigrations);
    const receivedAtMs = new Map<number, number>();
    const receiver = await listen(async (request, response) => {
      const endpoint = Number(request.url?.slice(1));
      const { data } = (await json(request)) as { data: { id: string } };
      const behaviour = behaviourOf(endpoint);
      if (behaviour === "hangs") return;
      if (behaviour === "responds") receivedAtMs.set(Number(data.id), performance.now());
      response.writeHead(behaviour === "responds" ? 204 : 500).end();
    });
    started.defer(receiver.close);
    const stream = Promise.withResolvers<ServerResponse>();
    const gateway = await listen(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("id: begin\n\n");
      stream.resolve(response);
    });
    started.defer(gateway.close);

    // A region for each, so that an event is for one of them.
    const store = new EndpointStore(database);
    for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
      const url = `${receiver.url}/${endpoint}`;
      await store.create({ url, events: ["price"], region: `R${endpoint}` });
    }
    const logger = createLogger({ service: "webhooks", level: "error" });
    const webhooks = new Webhooks({
      database,
      gatewayUrl: gateway.url,
      allowedNetworks: ["127.0.0.0/8"],
      logger,
    });
    webhooks.start();
    started.defer(() => webhooks.close());

    const writer = await stream.promise;
    const sentAtMs: number[] = [];
    const startedAtMs = performance.now();
    for (let id = 0; id < events; id += 1) {
      await sleep(Math.max(0, startedAtMs + (id * 1000) / perSecond - performance.now()));
      const data = { id: String(id), offerId: `offer-${id}`, region: `R${id % endpoints}` };
      sentAtMs.push(performance.now());
      writer.write(`id: ${id}\ndata: ${JSON.stringify(data)}\n\n`);
    }
    const healthy = sentAtMs.flatMap((atMs, id) =>
      behaviourOf(id % endpoints) === "responds" ? [{ id, atMs }] : [],
    );
    const deadlineAtMs = performance.now() + 60_000;
    while (receivedAtMs.size < healthy.length && performance.now() < deadlineAtMs) await sleep(20);
    const lateMs = healthy.map(({ id, atMs }) => (receivedAtMs.get(id) ?? Infinity) - atMs);
    const [median, p99] = [percentile(lateMs, 0.5), percentile(lateMs, 0.99)];
    report(
      `${receivedAtMs.size} of ${healthy.length}: median ${median.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`,
    );
    return p99;
  },
});

/** A server on a port of the system's choice. */
async function listen(
  respond: (...parameters: Parameters<RequestListener>) => Promise<void>,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
