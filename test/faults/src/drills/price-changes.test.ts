import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { watchPriceChanges } from "@storefront/client";
import type { PriceChange } from "@storefront/client";
import {
  describeOnEachMigratedDatabase,
  drillsAreLong,
  openFaultyLink,
  Seeded,
} from "@storefront/testkit";
import type { FaultyLink } from "@storefront/testkit";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { FleetDatabases } from "./fleet-databases.ts";
import type { PricingObservation } from "./random-observations.ts";
import { startFleet } from "./start-fleet.ts";
import type { Fleet } from "./start-fleet.ts";
import { SupervisedProgram } from "./supervised-program.ts";
import { hasSucceeded, sendToPricing } from "./write-without-end.ts";

const kills = drillsAreLong ? 50 : 6;

/** Prices per transaction, and the pause until the next one: 200 a second if the machine is fast enough. */
const batchSize = 10;
const batchPauseMs = 50;

/** Longest time from a received change to the next kill, in milliseconds. */
const killPauseMs = 1000;

/** Time limit for pricing and the gateway to respond, in milliseconds. */
const startMs = 90_000;

/** Time limit for the stream to continue after a kill, and to catch up with the writes. */
const patience = { timeout: 180_000 };

/** Printed; set it to repeat the same kills. */
const seed = Number(process.env["DRILLS_SEED"] ?? Date.now() % 1_000_000);

// Regions with the same currency.
const regions = ["US", "AR", "CIS"];

describeOnEachMigratedDatabase(
  `a stream of price changes (DRILLS_SEED=${seed})`,
  (server) => {
    let databases: FleetDatabases;
    let fleet: Fleet;
    let gateway: SupervisedProgram;
    let toPricing: FaultyLink;
    let toGateway: FaultyLink;

    // Writes go to one replica of pricing, the stream comes from the other one.
    beforeAll(async () => {
      databases = await FleetDatabases.create(server.options().url);
      fleet = await startFleet(databases, {
        catalog: 0,
        pricing: 2,
        reviews: 0,
        changelog: 0,
        search: 0,
      });
      toPricing = await openFaultyLink(() => fleet.programs.get("pricing")?.[1]?.port("connect"));
      gateway = new SupervisedProgram({
        main: "gateway/src/main.ts",
        env: {
          PORT: "0",
          METRICS_PORT: "0",
          PRICING_URL: `http://127.0.0.1:${toPricing.port}`,
          RESPONSE_CACHE_MIB: "0",
          SHUTDOWN_DELAY_SECONDS: "0",
        },
      });
      toGateway = await openFaultyLink(() => gateway.port("connect"));
    }, 60_000);
    afterAll(async () => {
      await gateway.stop();
      await fleet.stop();
      await Promise.all([toPricing.close(), toGateway.close()]);
      await databases.drop();
    }, 60_000);

    it(
      `loses and duplicates none, whichever process is killed (${kills} times)`,
      { timeout: drillsAreLong ? 1_800_000 : 600_000 },
      async () => {
        const random = new Seeded(seed);
        const url = `http://127.0.0.1:${toGateway.port}`;
        const ending = new AbortController();
        const got: PriceChange[] = [];
        const after = await vi.waitFor(() => endOfLog(url), { timeout: startMs });
        const following = (async () => {
          const { signal } = ending;
          for await (const change of watchPriceChanges({ url, after, signal })) got.push(change);
        })();

        const writers = writePrices(fleet);
        const programs = [gateway, ...(fleet.programs.get("pricing") ?? [])];
        for (let kill = 0; kill < kills; kill++) {
          const before = got.length;
          await expect.poll(() => got.length, patience).toBeGreaterThan(before);
          await setTimeout(killPauseMs * random.number());
          await random.pick(programs).kill();
        }
        const written = await writers.stop();
        await expect.poll(() => got.length, patience).toBeGreaterThanOrEqual(written.length);
        ending.abort();
        await following;

        const ids = got.map(({ id }) => id);
        expect(ids).toEqual([...new Set(ids)].toSorted());
        expect(got.map(amountsOf)).toEqual(written);
      },
    );
  },
  ["postgres"],
);

/** The current end of the log. */
async function endOfLog(url: string): Promise<string> {
  const response = await fetch(`${url}/price-changes`);
  const { next } = (await response.json()) as { next: unknown };
  if (typeof next !== "string") throw new TypeError("pricing does not respond yet");
  return next;
}

/** A written price: its offer and region, the previous amount, and its unique amount. */
type Amounts = [offerId: string, region: string, before: number | undefined, amount: number];

function amountsOf({ offerId, region, previousPrice, price }: PriceChange): Amounts {
  return [offerId, region, previousPrice?.price.discountPrice, price?.price.discountPrice ?? -1];
}

/** Writes prices until it is stopped, and retries failed batches. `stop` returns the stored prices in order. */
function writePrices(fleet: Fleet): { stop(): Promise<Amounts[]> } {
  const stopping = new AbortController();
  const before = new Map<string, number>();
  const written: Amounts[] = [];
  const firstSeenMs = Date.now() - 3_600_000;

  function next(): PricingObservation {
    const amount = written.length + 1;
    const offerId = `offer-${amount % 7}`;
    const region = regions[amount % regions.length] ?? "";
    const key = `${offerId} ${region}`;
    written.push([offerId, region, before.get(key), amount]);
    before.set(key, amount);
    const price = { currencyCode: "USD", originalPrice: 10n ** 9n, discountPrice: BigInt(amount) };
    return {
      observedAt: timestampFromMs(firstSeenMs + amount),
      record: { case: "price", value: { offerId, region, price } },
    };
  }

  const writing = (async () => {
    while (!stopping.signal.aborted) {
      const batch = Array.from({ length: batchSize }, next);
      for (let isStored = false; !isStored;) {
        const port = fleet.grpcPort("pricing");
        isStored = port !== undefined && (await hasSucceeded(sendToPricing(port, batch)));
        await setTimeout(batchPauseMs);
      }
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await writing;
      return written;
    },
  };
}
