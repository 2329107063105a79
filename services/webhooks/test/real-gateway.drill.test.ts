import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createLogger } from "@storefront/process";
import { makeTemporaryDirectory, runCli, startStack } from "@storefront/testkit";
import type { TemporaryDirectory, TestStack } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { EndpointStore, entrySource, Webhooks, webhooksMigrations } from "../src/index.ts";
import { startReceiver, verify } from "./support/start-receiver.ts";
import type { Receiver } from "./support/start-receiver.ts";

let files: TemporaryDirectory;
let stack: TestStack;
let database: Database;
let receiver: Receiver;
let webhooks: Webhooks;

beforeAll(async () => {
  files = await makeTemporaryDirectory();
  [stack, receiver] = await Promise.all([startStack(), startReceiver()]);
  database = await openDatabase({ url: "pglite:memory:" });
  await migrate(database, webhooksMigrations);
  webhooks = new Webhooks({
    database,
    gatewayUrl: stack.gatewayUrl,
    allowedNetworks: ["127.0.0.0/8"],
    logger: createLogger({ service: "webhooks", level: "warn" }),
  });
});
afterAll(async () => {
  await webhooks.close();
  await Promise.all([stack.stop(), receiver.close(), database.close()]);
  await files.remove();
});

async function ask(path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(
    stack.gatewayUrl + path,
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        },
  );
  expect(response.ok).toBe(true);
  return await response.json();
}

async function importCatalogue(seed: string): Promise<void> {
  const catalogue = files.file(`${seed}.ndjson`);
  const made = ["--offers", "20", "--seed", seed, "--now", "2025-06-01T00:00:00Z"];
  await runCli(["generate", ...made, "--out", catalogue]);
  const { status, stderr } = await stack.cli(["import", catalogue]);
  expect([status, stderr]).toEqual([0, expect.any(String)]);
}

/** Data of the received webhooks of a type, in order. */
const dataOf = <Data>(type: string) =>
  receiver.received.flatMap((webhook) => (webhook.type === type ? [webhook.data as Data] : []));

interface Entry {
  _id: string;
  metadata: object;
}

/** Entries by id, without their records, whose state is that at the time of reading. */
function byId(entries: readonly Entry[]): Map<string, unknown> {
  return new Map(
    entries.map(({ _id: id, metadata, ...members }) => [
      id,
      { ...members, metadata: { ...metadata, context: undefined } },
    ]),
  );
}

async function entriesAfter(id: string): Promise<Map<string, unknown>> {
  const entries = new Map<string, unknown>();
  for (let after: string | undefined = id; after !== undefined;) {
    const page = byId((await ask(`/changelist?after=${after}&limit=50`)) as Entry[]);
    for (const [entryId, entry] of page) entries.set(entryId, entry);
    after = [...page.keys()].at(-1);
  }
  return entries;
}

it("entries, price changes and alerts of a gateway are delivered as its REST API returns them", async () => {
  await importCatalogue("before");
  // Searches and streams of queries are refused until there is an index.
  await vi.waitFor(() => ask("/search/v2/search", {}), { timeout: 60_000 });
  // "Tell me when it costs at most 10": one request for the query, one for the webhook.
  const { id } = (await ask("/queries", { price: { max: 1000 } })) as { id: string };
  const created = await new EndpointStore(database).create({
    url: receiver.url,
    events: ["entry", "price", "query"],
    queryId: id,
    country: "US",
    region: "US",
  });
  webhooks.start();
  const areFollowed = async () => {
    const begun = await database.read("select from webhooks.source where cursor is not null");
    expect(begun).toHaveLength(3);
  };
  await vi.waitFor(areFollowed, { timeout: 60_000 });
  const source = await database.readOne<{ cursor: string }>(
    "select cursor from webhooks.source where path = $1",
    [entrySource],
  );
  const { next } = (await ask("/price-changes?region=US&limit=1")) as { next: string };
  await importCatalogue("after");

  const { elements } = (await ask(`/price-changes?region=US&after=${next}&limit=500`)) as {
    elements: { id: string }[];
  };
  expect(elements.length).toBeGreaterThan(10);
  await vi.waitFor(() =>
    expect(dataOf<{ id: string }>("price.changed")).toHaveLength(elements.length),
  );
  const sent = new Map(dataOf<(typeof elements)[number]>("price.changed").map((e) => [e.id, e]));
  for (const element of elements) {
    // The offer has its state at the time of reading the event.
    expect({ ...sent.get(element.id), offer: undefined }).toEqual({ ...element, offer: undefined });
  }

  await vi.waitFor(() => expect(dataOf("query.matched").length).toBeGreaterThan(0));
  for (const alert of dataOf<{ type: string; offerId: string }>("query.matched")) {
    expect(alert).toEqual({
      id: expect.any(String),
      type: "entered",
      offerId: expect.any(String),
      date: expect.any(String),
    });
    const price = (await ask(`/offers/${alert.offerId}/price?country=US`)) as {
      price: { discountPrice: number };
    };
    expect(price.price.discountPrice).toBeLessThanOrEqual(1000);
  }
  const entries = await entriesAfter(source?.cursor ?? "");
  expect(entries.size).toBeGreaterThan(20);
  await vi.waitFor(() => {
    const delivered = byId(dataOf("entry.created"));
    for (const [entryId, entry] of entries) expect(delivered.get(entryId)).toEqual(entry);
  });
  for (const webhook of receiver.received) verify(created?.secret ?? "", webhook);
});
