import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { setTimeout as sleep } from "node:timers/promises";
import { fillSearchPeer } from "./fill-search-peer.ts";
import { lastOffer, writeSearchRecords } from "./search-records.ts";
import type { SearchRecords } from "./search-records.ts";

/** Offers in our index and in the peer's tables, on one PostgreSQL server. */
export interface SearchCatalogue {
  records: SearchRecords;
  databaseUrl: string;
  stack: TestStack;
  stop(): Promise<void>;
}

const indexTimeoutMs = 600_000;
const indexPollMs = 250;

/** Starts a stack with so many generated offers, waits for its index and fills the peer's tables. */
export async function startSearchCatalogue(offerCount: number): Promise<SearchCatalogue> {
  const stops: (() => Promise<unknown>)[] = [];
  const stop = async (): Promise<void> => {
    for (const each of stops.toReversed()) await each();
  };
  try {
    const postgres = await startPostgres();
    stops.push(() => postgres.stop());
    const directory = await makeTemporaryDirectory();
    stops.push(() => directory.remove());
    const file = directory.file("catalogue.ndjson");
    const records = await writeSearchRecords(offerCount, file);
    const stack = await startStack({
      env: { DATABASE_URL: postgres.url },
      parameters: ["--empty", "--import", file],
    });
    stops.push(() => stack.stop());
    await untilIndexed(stack.gatewayUrl);
    await fillSearchPeer(postgres.url, records);
    return { records, databaseUrl: postgres.url, stack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function untilIndexed(gatewayUrl: string): Promise<void> {
  const deadlineAtMs = performance.now() + indexTimeoutMs;
  for (;;) {
    const response = await fetch(`${gatewayUrl}/search/v2/search?country=US`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ seller: lastOffer.seller, price: {} }),
    });
    const { total } = (await response.json()) as { total?: number };
    if (total === 1) return;
    if (performance.now() > deadlineAtMs) throw new Error("The index does not catch up.");
    await sleep(indexPollMs);
  }
}
