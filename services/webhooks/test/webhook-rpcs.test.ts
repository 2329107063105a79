import { Code, createClient } from "@connectrpc/connect";
import type { Client } from "@connectrpc/connect";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import {
  DeliveryStatus,
  EventKind,
  WebhookService,
} from "@storefront/contracts/webhooks/v1/webhook_service";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createMetrics } from "@storefront/process";
import { createTransport } from "@storefront/rpc";
import type { ClosableTransport } from "@storefront/rpc";
import type { ServiceParts } from "@storefront/service-process";
import { serveForTests, silentLogger } from "@storefront/service-process/testing";
import type { ServedForTests } from "@storefront/service-process/testing";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachDatabase } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { createWebhooksService, webhooksMigrations } from "../src/index.ts";
import { startEventLog } from "./support/start-event-log.ts";
import type { EventLog } from "./support/start-event-log.ts";
import { startReceiver, verify } from "./support/start-receiver.ts";
import type { Receiver } from "./support/start-receiver.ts";

const tokens = ["the first token of admins", "the second token of admins"];
const nowhere = "0191f5d2-7a3b-4c1e-9f00-2b6c1d0e8a11";
const { PENDING, DELIVERED } = DeliveryStatus;

describeOnEachDatabase("RPCs of webhooks", suite, ["pglite", "postgres"]);

function suite(testDatabase: TestDatabase): void {
  const metrics = createMetrics({ service: "webhooks" });
  let database: Database;
  let log: EventLog;
  let receiver: Receiver;
  let parts: ServiceParts;
  let served: ServedForTests;
  let transport: ClosableTransport;
  let webhooks: Client<typeof WebhookService>;

  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await migrate(database, webhooksMigrations);
    [log, receiver] = await Promise.all([startEventLog(), startReceiver()]);
    parts = createWebhooksService(
      { database, logger: silentLogger, metrics },
      {
        gatewayUrl: log.url,
        adminTokens: ["the first token of admins", "the second token of admins"],
        allowedNetworks: ["127.0.0.0/8"],
      },
    );
    served = await serveForTests("webhooks", parts);
    transport = createTransport({ baseUrl: served.url, token: tokens[1] });
    webhooks = createClient(WebhookService, transport);
    parts.start();
  });
  afterAll(async () => {
    await transport.close();
    await served.close();
    await parts.close();
    await Promise.all([log.close(), receiver.close()]);
    await database.close();
  });
  beforeEach(async () => {
    receiver.respondWith(() => 204);
    await database.write("delete from webhooks.endpoint");
    await database.write("delete from webhooks.source");
  });

  const create = async (given: { url?: string; events?: EventKind[]; queryId?: string } = {}) =>
    await webhooks.createWebhook({ url: receiver.url, events: [EventKind.ENTRY], ...given });
  const idOf = async () => (await create()).webhook?.id ?? "";
  const deliveriesOf = async (webhookId: string) =>
    (await webhooks.listDeliveries({ webhookId })).deliveries;

  it("need a token of ADMIN_TOKEN", async () => {
    const without = createClient(WebhookService, served.connect);
    const { code, reason } = await refusalOf(without.listWebhooks({}));
    expect([code, reason]).toEqual([Code.Unauthenticated, ErrorReason.INVALID_TOKEN]);
    const first = createTransport({ baseUrl: served.url, token: tokens[0] });
    expect((await createClient(WebhookService, first).listWebhooks({})).webhooks).toEqual([]);
    await first.close();
  });

  it("return a webhook as it was created, and its secret only at creation", async () => {
    const given = {
      url: "https://shop.example.com/hook",
      events: [EventKind.PRICE, EventKind.QUERY],
      queryId: "bc9821a57941808b4c15abdfe08544b4",
      country: "DE",
      description: "the shop",
    };
    const { webhook, secret } = await webhooks.createWebhook({ ...given, region: "EURO" });
    expect(webhook).toMatchObject({ ...given, active: true, pausedReason: "" });
    expect(secret).toMatch(/^whsec_/);
    const other = await create();
    expect((await webhooks.getWebhook({ id: webhook?.id ?? "" })).webhook).toEqual(webhook);
    expect((await webhooks.listWebhooks({})).webhooks).toEqual([webhook, other.webhook]);
  });

  it.each([
    ["url", { url: "https://10.0.0.1/" }],
    ["url", { url: "ftp://127.0.0.1/" }],
    ["url", { url: "https://user@shop.example.com/" }],
    ["events", { events: [] }],
    ["query_id", { events: [EventKind.QUERY] }],
    ["query_id", { queryId: "bc9821a57941808b4c15abdfe08544b4" }],
  ])("refuse an invalid %s: %j", async (field, fault) => {
    const { code, fields } = await refusalOf(create(fault));
    expect([code, fields]).toEqual([Code.InvalidArgument, [field]]);
  });

  it("refuse ids that no webhook has", async () => {
    for (const id of [nowhere, "no-uuid"]) {
      const calls = [
        () => webhooks.getWebhook({ id }),
        () => webhooks.updateWebhook({ id, active: true }),
        () => webhooks.deleteWebhook({ id }),
        () => webhooks.testWebhook({ id }),
        () => webhooks.rotateSecret({ id }),
        () => webhooks.listDeliveries({ webhookId: id }),
        () => webhooks.redeliver({ webhookId: id, deliveryId: nowhere }),
      ];
      for (const call of calls) {
        const { code, reason, metadata } = await refusalOf(call());
        expect([code, reason]).toEqual([Code.NotFound, ErrorReason.WEBHOOK_NOT_FOUND]);
        expect(metadata).toEqual({ webhookId: id });
      }
    }
  });

  it("send a test that the official library verifies, by the secret before a rotation too", async () => {
    const { webhook, secret: before } = await create();
    const id = webhook?.id ?? "";
    const { secret: after } = await webhooks.rotateSecret({ id });
    const { delivery } = await webhooks.testWebhook({ id });
    expect(delivery).toMatchObject({ type: "webhook.test", status: PENDING, attempts: 0 });
    await vi.waitFor(async () => {
      expect(await deliveriesOf(id)).toMatchObject([
        { id: delivery?.id, status: DELIVERED, attempts: 1, responseStatus: 204 },
      ]);
    });
    const [received] = receiver.received.filter((one) => one.id === delivery?.id);
    if (received === undefined) throw new Error("nothing was received");
    expect(received).toMatchObject({ type: "webhook.test", data: { webhookId: id } });
    for (const secret of [before, after]) verify(secret, received);
  });

  it("pause a webhook, store its deliveries, and send them at once when it resumes", async () => {
    const id = await idOf();
    receiver.respondWith(() => 500);
    await webhooks.testWebhook({ id });
    await vi.waitFor(async () => {
      expect(await deliveriesOf(id)).toMatchObject([{ status: PENDING, responseStatus: 500 }]);
    });
    // An active webhook is not retried sooner.
    const [due] = await deliveriesOf(id);
    const { webhook: same } = await webhooks.updateWebhook({ id, active: true });
    expect(same?.failingSince).toBeDefined();
    expect((await deliveriesOf(id))[0]?.nextAttemptAt).toEqual(due?.nextAttemptAt);
    await database.write(
      "update webhooks.endpoint set is_active = false, paused_reason = 'It failed.'",
    );
    await webhooks.testWebhook({ id });
    expect((await webhooks.getWebhook({ id })).webhook).toMatchObject({
      active: false,
      pausedReason: "It failed.",
    });
    await database.write(
      "update webhooks.delivery set next_attempt_at = now() + interval '1 day' where attempts = 1",
    );
    receiver.respondWith(() => 204);
    const { webhook } = await webhooks.updateWebhook({ id, active: true });
    expect(webhook).toMatchObject({ active: true, pausedReason: "" });
    expect(webhook?.failingSince).toBeUndefined();
    await vi.waitFor(async () => {
      const statuses = (await deliveriesOf(id)).map(({ status }) => status);
      expect(statuses).toEqual([DELIVERED, DELIVERED]);
    });
  });

  it("change the URL by the rules of creation, and the description, but no absent member", async () => {
    const id = await idOf();
    const url = "https://shop.example.com/other";
    await webhooks.updateWebhook({ id, url, description: "other" });
    const refused = await refusalOf(webhooks.updateWebhook({ id, url: "https://[::1]/" }));
    expect(refused.fields).toEqual(["url"]);
    await webhooks.updateWebhook({ id, active: false });
    const changed = { url, description: "other", active: false, pausedReason: "" };
    expect((await webhooks.getWebhook({ id })).webhook).toMatchObject(changed);
    await webhooks.updateWebhook({ id, description: "" });
    expect((await webhooks.getWebhook({ id })).webhook?.description).toBe("");
  });

  it("list deliveries newest first, in pages", async () => {
    const id = await idOf();
    await webhooks.updateWebhook({ id, active: false });
    const made: (string | undefined)[] = [];
    for (let number = 0; number < 5; number += 1) {
      made.unshift((await webhooks.testWebhook({ id })).delivery?.id);
    }
    const listed: string[] = [];
    let after = "";
    do {
      const page = await webhooks.listDeliveries({ webhookId: id, pageSize: 2, after });
      expect(page.deliveries.length).toBeLessThanOrEqual(2);
      listed.push(...page.deliveries.map((delivery) => delivery.id));
      after = page.next;
    } while (after !== "");
    expect(listed).toEqual(made);
    const unknown = webhooks.listDeliveries({ webhookId: id, after: nowhere });
    expect((await refusalOf(unknown)).reason).toBe(ErrorReason.DELIVERY_NOT_FOUND);
  });

  it("repeat a completed delivery of the webhook under its id, but none of another webhook", async () => {
    const webhookId = await idOf();
    const { delivery } = await webhooks.testWebhook({ id: webhookId });
    const deliveryId = delivery?.id ?? "";
    const received = () => receiver.received.filter(({ id }) => id === deliveryId);
    await vi.waitFor(async () => {
      expect(await deliveriesOf(webhookId)).toMatchObject([{ status: DELIVERED }]);
    });
    await webhooks.redeliver({ webhookId, deliveryId });
    await vi.waitFor(() => expect(received()).toHaveLength(2));
    const others = webhooks.redeliver({ webhookId: await idOf(), deliveryId });
    expect(await refusalOf(others)).toMatchObject({
      code: Code.NotFound,
      reason: ErrorReason.DELIVERY_NOT_FOUND,
      metadata: { deliveryId },
    });
  });

  it("refuse more than 10,000 webhooks, until one is deleted", async () => {
    const id = await idOf();
    await database.write(
      `insert into webhooks.endpoint (id, url, secret, events, sources)
       select gen_random_uuid(), url, secret, events, sources
       from webhooks.endpoint, generate_series(2, 10000)`,
    );
    expect(await refusalOf(create())).toMatchObject({
      code: Code.ResourceExhausted,
      reason: ErrorReason.TOO_MANY_WEBHOOKS,
      metadata: { max: "10000" },
    });
    await webhooks.deleteWebhook({ id });
    await create();
  });

  it("report attempts by outcome, the queue, paused webhooks and streams as metrics", async () => {
    const id = await idOf();
    await log.followed("/changelist/stream");
    receiver.respondWith(() => 500);
    await webhooks.testWebhook({ id });
    await vi.waitFor(async () => {
      expect(await deliveriesOf(id)).toMatchObject([{ attempts: 1 }]);
    });
    await idOf();
    await webhooks.updateWebhook({ id, active: false });
    await database.write(
      "update webhooks.endpoint set paused_reason = 'It failed.' where id = $1",
      [id],
    );
    // Late, and not claimed meanwhile.
    await database.write(
      `update webhooks.delivery set next_attempt_at = now() - interval '7 minutes',
         claimed_until = now() + interval '1 hour'`,
    );
    const label = '{service="webhooks"}';
    await vi.waitFor(async () => {
      const page = await metrics.metrics();
      expect(page).toContain(`webhooks_pending${label} 1\n`);
      expect(page).toContain(`webhooks_oldest_pending_seconds${label} 0\n`);
      expect(page).toContain(`webhooks_paused_endpoints${label} 1\n`);
      expect(page).toContain(`webhooks_sources${label} 1\n`);
      expect(page).toContain(`webhooks_sources_followed${label} 1\n`);
      expect(page).toMatch(/webhooks_deliveries_total\{outcome="retried",service="webhooks"\} \d/);
      expect(page).toMatch(
        /webhooks_deliveries_total\{outcome="delivered",service="webhooks"\} \d/,
      );
    });
    await database.write(
      `update webhooks.endpoint set is_active = true, failing_since = null, paused_reason = null`,
    );
    await vi.waitFor(async () => {
      const page = await metrics.metrics();
      expect(page).toMatch(/webhooks_oldest_pending_seconds\{service="webhooks"\} 4[23]\d/);
    });
  });
}
