import { makeTemporaryDirectory, startPostgres, startStack } from "@storefront/testkit";
import type { TestStack } from "@storefront/testkit";
import { writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { shownRegion } from "../../peers/region.ts";
import { createBenchRecords } from "./bench-records.ts";
import type { BenchRecords } from "./bench-records.ts";
import { fillPeerTables } from "./fill-peer-tables.ts";

/** A catalogue in our services and in the peers' tables, on one PostgreSQL server. */
export interface Catalogue {
  records: BenchRecords;
  databaseUrl: string;
  /** The services, and a gateway with its defaults. */
  stack: TestStack;
  stop(): Promise<void>;
}

const indexTimeoutMs = 300_000;
const indexPollMs = 250;

/** Starts the stack, imports the catalogue, makes the peers' tables and waits for the index. */
export async function startCatalogue(offerCount: number): Promise<Catalogue> {
  const records = createBenchRecords(shownRegion, offerCount);
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
    await writeFile(file, records.observations.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const stack = await startStack({
      env: { DATABASE_URL: postgres.url },
      parameters: ["--empty", "--import", file],
    });
    stops.push(() => stack.stop());
    await fillPeerTables(postgres.url, records);
    await untilIndexed(stack.gatewayUrl, records.offers.length);
    return { records, databaseUrl: postgres.url, stack, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What indexes in the background would take its time from what is measured. */
async function untilIndexed(gatewayUrl: string, offers: number): Promise<void> {
  const deadlineAtMs = performance.now() + indexTimeoutMs;
  for (;;) {
    const response = await fetch(`${gatewayUrl}/search/v2/search`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ limit: 1 }),
    });
    const { total } = (await response.json()) as { total?: number };
    if (total === offers) return;
    if (performance.now() > deadlineAtMs) throw new Error(`${total} of ${offers} are indexed.`);
    await sleep(indexPollMs);
  }
}
