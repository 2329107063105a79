import { create } from "@bufbuild/protobuf";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { CatalogIngestService } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import type { CatalogObservationSchema } from "@storefront/contracts/catalog/v1/catalog_ingest_service";
import { OfferSchema } from "@storefront/contracts/catalog/v1/offer";
import { SandboxSchema } from "@storefront/contracts/catalog/v1/sandbox";
import { EventKind, WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { createGrpcTransport, createTransport } from "@storefront/rpc";
import { setTimeout as sleep } from "node:timers/promises";
import type { Processes } from "./start-processes.ts";
import { adminToken, ingestToken } from "./start-services.ts";

/** Words of the writes and requests, which must not get into a label. */
export const tellTales = ["telltale-offer", "telltale-sandbox", "telltale-path", "telltale words"];

const pollIntervalMs = 50;

/**
 * Writes an offer, waits until it is found, and sends requests of every kind, invalid ones too, so
 * that every metric has a sample.
 */
export async function makeTraffic(processes: Processes): Promise<void> {
  await ingest(processes.grpcPorts.get("catalog"));
  const ask = (path: string, init?: RequestInit) => fetch(`${processes.gatewayUrl}${path}`, init);
  const search = async (body: object) =>
    await ask("/search/v2/search", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  for (;;) {
    const found = await search({ title: "Telltale" });
    if ((await found.text()).includes("telltale-offer")) break;
    await sleep(pollIntervalMs);
  }
  const input = encodeURIComponent(JSON.stringify({ id: "telltale-offer" }));
  const paths = [
    "/offers/telltale-offer",
    "/offers/telltale-offer",
    "/offers/telltale-none",
    "/offers/telltale-offer/overview",
    "/sandboxes/telltale-sandbox/offers",
    "/telltale-path",
    "/telltale-path/%zz",
    "/docs/telltale-path",
    "/explorer/telltale-path",
    "/changelist",
    "/health",
    "/openapi.json",
    "/readyz",
    `/trpc/catalog.getOffer?input=${input}`,
    "/trpc/telltale-path",
  ];
  for (const path of paths) await (await ask(path)).arrayBuffer();
  await ask("/offers/telltale-offer", { method: "OPTIONS" });
  await ask("/telltale-path", { method: "PROPFIND" });
  await ask("/search/natural-language", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "telltale words" }),
  });

  await sendWebhook(processes.webhooksUrl);

  const stream = new AbortController();
  const events = await ask("/changelist/stream", { signal: stream.signal });
  await events.body?.getReader().read();
  stream.abort();
}

/** Sends a webhook once, to a port on which nothing listens. */
async function sendWebhook(baseUrl: string): Promise<void> {
  const transport = createTransport({ baseUrl, token: adminToken });
  const client = createClient(WebhookService, transport);
  const url = "http://127.0.0.1:9/telltale-path";
  const { webhook } = await client.createWebhook({ url, events: [EventKind.ENTRY] });
  const webhookId = webhook?.id ?? "";
  await client.testWebhook({ id: webhookId });
  for (;;) {
    const { deliveries } = await client.listDeliveries({ webhookId });
    if (deliveries.some(({ attempts }) => attempts > 0)) break;
    await sleep(pollIntervalMs);
  }
  await transport.close();
}

/** Writes a sandbox and an offer through this gRPC port of a catalog. */
export async function ingest(port: number | undefined): Promise<void> {
  const transport = createGrpcTransport({
    address: `127.0.0.1:${port}`,
    token: ingestToken,
  });
  const observedAt = timestampFromDate(new Date(Date.UTC(2024, 0, 1)));
  const sandbox = create(SandboxSchema, { id: "telltale-sandbox", title: "Telltale" });
  const offer = create(OfferSchema, {
    id: "telltale-offer",
    namespace: "telltale-sandbox",
    title: "Telltale words",
  });
  const observations: MessageInitShape<typeof CatalogObservationSchema>[] = [
    { observedAt, record: { case: "sandbox", value: sandbox } },
    { observedAt, record: { case: "offer", value: offer } },
    { observedAt },
  ];
  async function* requests() {
    yield { observations };
  }
  const client = createClient(CatalogIngestService, transport);
  for await (const { rejections } of client.ingestCatalog(requests())) {
    if (rejections.length !== 1) throw new Error(JSON.stringify(rejections));
  }
  await transport.close();
}
