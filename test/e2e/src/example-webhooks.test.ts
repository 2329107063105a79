import { createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { EventKind, WebhookService } from "@storefront/contracts/webhooks/v1/webhook_service";
import { createTransport } from "@storefront/rpc";
import { freePort, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

const program = fileURLToPath(new URL("../../../examples/webhooks/receive.js", import.meta.url));
const token = "the token of an admin";

describe("the webhook receiver example", () => {
  let stack: TestStack;
  let receiver: ChildProcess;
  let webhooks: Client<typeof WebhookService>;
  let webhookId: string;
  let printed = "";
  let url: string;
  const cleanUps: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    stack = await startStack({
      env: { ADMIN_TOKEN: token, WEBHOOK_ALLOWED_NETWORKS: "127.0.0.0/8" },
    });
    cleanUps.push(() => stack.stop());
    const transport = createTransport({ baseUrl: stack.webhooksUrl ?? "", token });
    cleanUps.push(() => transport.close());
    webhooks = createClient(WebhookService, transport);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const { webhook, secret } = await webhooks.createWebhook({
      url,
      events: [EventKind.ENTRY, EventKind.PRICE],
    });
    webhookId = webhook?.id ?? "";
    receiver = spawn(process.execPath, [program], {
      env: { WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ["ignore", "pipe", "inherit"],
    });
    receiver.stdout?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await vi.waitUntil(() => printed.includes(`listening on ${port}`));
  });
  afterAll(async () => {
    receiver.kill();
    for (const cleanUp of cleanUps.toReversed()) await cleanUp();
  });

  const importOffer = async (id: string) => {
    const price = { currencyCode: "EUR", originalPrice: 2000, discountPrice: 1500 };
    const lines = [
      { kind: "offer", record: { id, namespace: "n", title: id } },
      { kind: "price", record: { offerId: id, region: "EURO", price } },
    ];
    const stdin = lines.map((line) => JSON.stringify(line)).join("\n");
    expect(await stack.cli(["import", "-"], { stdin })).toMatchObject({ status: 0 });
  };

  it("prints a test event and the events of an import", async () => {
    await webhooks.testWebhook({ id: webhookId });
    await vi.waitFor(() => expect(printed).toContain("\nwebhook.test\n"));
    await vi.waitFor(async () => {
      await importOffer(`offer-${Date.now()}`);
      expect(printed).toMatch(/\nentry of offer offer-\d+\n/);
      expect(printed).toMatch(/\nprice of offer-\d+ in EURO\n/);
    });
  });

  it("prints a redelivered webhook only once", async () => {
    const { deliveries } = await webhooks.listDeliveries({ webhookId });
    const test = deliveries.find(({ type }) => type === "webhook.test");
    await webhooks.redeliver({ webhookId, deliveryId: test?.id ?? "" });
    await vi.waitFor(async () => {
      const again = await webhooks.listDeliveries({ webhookId });
      const { attempts, responseStatus } = again.deliveries.find(({ id }) => id === test?.id) ?? {};
      expect([attempts, responseStatus]).toEqual([1, 204]);
    });
    expect(printed.split("\nwebhook.test\n")).toHaveLength(2);
  });

  it("rejects a webhook with a wrong signature or none", async () => {
    const headers = {
      "webhook-id": "id",
      "webhook-timestamp": String(Math.floor(Date.now() / 1000)),
      "webhook-signature": "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    };
    for (const given of [headers, {}]) {
      const response = await fetch(url, { method: "POST", body: "{}", headers: given });
      expect(response.status).toBe(401);
    }
  });

  it("continues to receive after the services were killed", async () => {
    process.kill(await stack.servicesPid(), "SIGKILL");
    await vi.waitFor(() => expect(stack.log()).toContain("The services are back."));
    await importOffer("offer-after-restart");
    // A lease that was not released expires after 15 s.
    await vi.waitFor(() => expect(printed).toContain("entry of offer offer-after-restart"), {
      timeout: 60_000,
    });
  });
});
