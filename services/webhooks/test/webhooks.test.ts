import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { describeOnEachDatabase } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import {
  DeliveryStore,
  EndpointStore,
  entrySource,
  priceSource,
  querySource,
  Webhooks,
  webhooksMigrations,
} from "../src/index.ts";
import { startEventLog } from "./support/start-event-log.ts";
import type { NewEndpoint } from "../src/index.ts";
import type { EventLog } from "./support/start-event-log.ts";
import { startReceiver, verify } from "./support/start-receiver.ts";
import type { Receiver } from "./support/start-receiver.ts";

const logger = createLogger({ service: "test", level: "silent" });
const entry = (contextId: string, version: number) => ({
  _id: `${contextId}-${version}`,
  metadata: { contextType: "offer", contextId },
});

describeOnEachDatabase("webhooks", suite, ["pglite", "postgres"]);

function suite(testDatabase: TestDatabase): void {
  let database: Database;
  let endpoints: EndpointStore;
  let log: EventLog;
  let receiver: Receiver;
  let webhooks: Webhooks;

  const start = (allowedNetworks: readonly string[]) => {
    webhooks = new Webhooks({ database, gatewayUrl: log.url, allowedNetworks, logger });
    webhooks.start();
  };
  const create = async (given: Partial<NewEndpoint> = {}) => {
    const created = await endpoints.create({ url: receiver.url, events: ["entry"], ...given });
    if (created === undefined) throw new Error("there are too many endpoints");
    return { id: created.endpoint.id, secret: created.secret };
  };
  const makeDue = () =>
    database.write("update webhooks.delivery set next_attempt_at = now() where status = 'pending'");
  const statuses = async () => {
    const rows = await database.read<{ status: string }>(
      "select status from webhooks.delivery order by event_id",
    );
    return rows.map(({ status }) => status);
  };
  const data = () => receiver.received.map((webhook) => webhook.data);

  beforeAll(async () => {
    database = await openDatabase(testDatabase.options());
    await migrate(database, webhooksMigrations);
    endpoints = new EndpointStore(database);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.write("delete from webhooks.endpoint");
    await database.write("delete from webhooks.event");
    await database.write("delete from webhooks.source");
    [log, receiver] = await Promise.all([startEventLog(), startReceiver()]);
  });
  afterEach(async () => {
    await webhooks.close();
    await Promise.all([log.close(), receiver.close()]);
  });

  it("are signed so that the official library verifies them, with the stream's event as data", async () => {
    const { secret } = await create();
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    log.append(entrySource, entry("a", 1), entry("b", 1));

    await vi.waitFor(() => expect(data()).toHaveLength(2));
    expect(new Set(data())).toEqual(new Set([entry("a", 1), entry("b", 1)]));
    for (const webhook of receiver.received) {
      expect(webhook.type).toBe("entry.created");
      verify(secret, webhook);
      expect(() => verify(secret, { ...webhook, body: `${webhook.body} ` })).toThrow(
        "No matching signature found",
      );
    }
  });

  it("report price changes of the endpoint's region, and events of its query", async () => {
    const queryId = "bc9821a57941808b4c15abdfe08544b4";
    const query = querySource(queryId, "DE");
    await create({ events: ["price", "query"], queryId, country: "DE", region: "EURO" });
    start(["127.0.0.0/8"]);
    await Promise.all([log.followed(priceSource), log.followed(query)]);
    const inEuro = { id: "2", offerId: "a", region: "EURO" };
    const entered = { id: "1f", type: "entered", offerId: "a" };
    log.append(priceSource, { id: "1", offerId: "a", region: "US" }, inEuro);
    log.append(query, entered);

    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    const byType = new Map(receiver.received.map((webhook) => [webhook.type, webhook.data]));
    expect(byType).toEqual(
      new Map<string, unknown>([
        ["price.changed", inEuro],
        ["query.matched", entered],
      ]),
    );
  });

  it("preserve the order of each record, and a retry with the same id delays only its record", async () => {
    await create();
    receiver.respondWith(({ data: given }) =>
      JSON.stringify(given).includes('"contextId":"a"') ? 500 : 204,
    );
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    log.append(entrySource, entry("a", 1), entry("a", 2), entry("b", 1), entry("b", 2));

    await vi.waitFor(async () =>
      expect(await statuses()).toEqual(["pending", "pending", "delivered", "delivered"]),
    );
    expect(data()).not.toContainEqual(entry("a", 2));
    receiver.respondWith(() => 204);
    await makeDue();
    await vi.waitFor(async () => expect(new Set(await statuses())).toEqual(new Set(["delivered"])));
    const ofA = receiver.received.filter(({ body }) => body.includes('"contextId":"a"'));
    expect(ofA.map((webhook) => webhook.data)).toEqual([
      entry("a", 1),
      entry("a", 1),
      entry("a", 2),
    ]);
    expect(ofA[1]?.id).toBe(ofA[0]?.id);
  });

  it("reach other endpoints while one does not respond and has a limited number of requests", async () => {
    const silent = await startReceiver();
    silent.respondWith(() => undefined);
    await create({ url: silent.url });
    await create();
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    const entries = Array.from({ length: 30 }, (_, index) => entry(`offer-${index}`, 1));
    log.append(entrySource, ...entries);

    await vi.waitFor(() => expect(receiver.received).toHaveLength(30));
    expect(silent.received).toHaveLength(8);
    await silent.close();
  });

  it("pause an endpoint after three days of failures, store its events, and send them once it resumes", async () => {
    const { id } = await create();
    receiver.respondWith(() => 302);
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    log.append(entrySource, entry("a", 1));
    await vi.waitFor(() => expect(receiver.received).toHaveLength(1));
    await vi.waitFor(async () => {
      const { rowCount } = await database.write(
        `update webhooks.delivery set first_attempt_at = now() - interval '3 days',
           next_attempt_at = now() where attempts = 1`,
      );
      expect(rowCount).toBe(1);
    });

    await vi.waitFor(async () => expect(await statuses()).toEqual(["failed"]));
    log.append(entrySource, entry("a", 2));
    await vi.waitFor(async () => expect(await statuses()).toEqual(["failed", "pending"]));
    const [endpoint] = await database.read(
      "select is_active, paused_reason from webhooks.endpoint where id = $1",
      [id],
    );
    expect(endpoint).toEqual({ is_active: false, paused_reason: "A delivery failed for 3 days." });
    receiver.respondWith(() => 204);
    await endpoints.update(id, { isActive: true });
    await vi.waitFor(async () => expect(await statuses()).toEqual(["failed", "delivered"]));
    expect(data()).toEqual([entry("a", 1), entry("a", 1), entry("a", 2)]);
  });

  it("are signed with the secrets before and after a rotation, and repeated with the same id", async () => {
    const { id, secret: before } = await create();
    const after = await endpoints.rotateSecret(id);
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    log.append(entrySource, entry("a", 1));
    await vi.waitFor(async () => expect(await statuses()).toEqual(["delivered"]));
    const [first] = receiver.received;
    if (first === undefined || after === undefined) throw new Error("nothing was received");
    verify(before, first);
    verify(after, first);

    await database.write("update webhooks.endpoint set previous_secret_until = now()");
    const again = await new DeliveryStore(database).redeliver(id, first.id);
    expect(again).toMatchObject({ id: first.id, status: "pending", attempts: 0 });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    const repeated = receiver.received[1] ?? first;
    expect(repeated.id).toBe(first.id);
    verify(after, repeated);
    expect(() => verify(before, repeated)).toThrow("No matching signature found");
  });

  it.each(["127.0.0.1", "localhost", "[::ffff:127.0.0.1]"])(
    "are not sent to %s unless its network is allowed",
    async (host) => {
      await create({ url: receiver.url.replace("127.0.0.1", host) });
      start(["10.0.0.0/8"]);
      await log.followed(entrySource);
      log.append(entrySource, entry("a", 1));

      await vi.waitFor(async () => {
        const [delivery] = await database.read(
          "select attempts, response_status from webhooks.delivery",
        );
        expect(delivery).toEqual({ attempts: 1, response_status: null });
      });
      expect(receiver.received).toEqual([]);
    },
  );

  it("end when their endpoint is deleted, like a stream that only it needed", async () => {
    const { id } = await create({ events: ["entry", "price"] });
    await create();
    start(["127.0.0.0/8"]);
    await Promise.all([log.followed(entrySource), log.followed(priceSource)]);

    expect(await endpoints.delete(id)).toBe(true);
    expect(await endpoints.delete(id)).toBe(false);
    // The lease ends with its row, so that the next event ends the stream.
    log.append(priceSource, { id: "1", offerId: "a", region: "US" });
    await log.left(priceSource);
    log.append(entrySource, entry("a", 1));
    await vi.waitFor(async () => expect(await statuses()).toEqual(["delivered"]));
    expect(data()).toEqual([entry("a", 1)]);
  });

  it("are each sent by one of several processes", async () => {
    await create();
    start(["127.0.0.0/8"]);
    const first = webhooks;
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    // Both look for due deliveries after each response.
    const entries = Array.from({ length: 100 }, (_, index) => entry(`offer-${index}`, 1));
    log.append(entrySource, ...entries);
    await vi.waitFor(async () => expect(await statuses()).toEqual(entries.map(() => "delivered")));
    await first.close();
    expect(receiver.received).toHaveLength(entries.length);
  });

  it("include events that were written while no process followed", async () => {
    await create();
    start(["127.0.0.0/8"]);
    await log.followed(entrySource);
    await vi.waitFor(async () => {
      const [source] = await database.read("select cursor from webhooks.source");
      expect(source).toEqual({ cursor: "0" });
    });
    await webhooks.close();
    log.append(entrySource, entry("a", 1), entry("a", 2));
    start(["127.0.0.0/8"]);
    await vi.waitFor(() => expect(data()).toEqual([entry("a", 1), entry("a", 2)]));
  });
}
