import { LowWindow } from "@storefront/contracts/search/v1/offer_query";
import type { Database, Transaction } from "@storefront/database";
import {
  describeOnEachMigratedDatabase,
  describeWithTypesense,
  memoryDatabase,
  Seeded,
} from "@storefront/testkit";
import type { TestDatabaseOptions } from "@storefront/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createTypesenseEngine } from "../src/index.ts";
import { lacksFloors } from "../src/store/price-store.ts";
import { asReleaseBefore, forgetFloors } from "./support/as-release-before.ts";
import {
  atTheirLow,
  expectLows,
  findByLow,
  offerLine,
  priceLines,
  randomOffer,
} from "./support/priced-offers.ts";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";

const patience = { timeout: 100_000, interval: 20 };
const follower = new URL("support/follow-until-killed.ts", import.meta.url).pathname;

const random = new Seeded(11);
const offers = Array.from({ length: 90 }, (_, index) => randomOffer(random, index));

/** Other offers with prices elsewhere, which are first in a snapshot: more than one page. */
const others = Array.from({ length: 600 }, (_, index): Line => {
  const price = { currencyCode: "EUR", originalPrice: 900, discountPrice: 700 };
  return { kind: "price", record: { offerId: `elsewhere-${index}`, region: "EURO", price } };
});

interface SuiteOptions {
  readonly options: () => TestDatabaseOptions;
  readonly start: (sources: Sources) => Promise<RunningSearch>;
  /** Whether another process can open the database. */
  readonly isServer: boolean;
}

describeOnEachMigratedDatabase(
  "prices that a release without lows has stored",
  (testDatabase) =>
    defineSuite({
      options: () => testDatabase.options(),
      start: (sources) => startSearch(sources),
      isServer: testDatabase.driver !== "pglite",
    }),
  ["pglite", "postgres"],
);

describeWithTypesense("prices that a release without lows has stored", (typesense) => {
  let options: TestDatabaseOptions;
  beforeAll(async () => {
    options = await memoryDatabase("schemas");
  });
  defineSuite({
    options: () => options,
    start: (sources) =>
      startSearch(sources, { engine: createTypesenseEngine(typesense.address()) }),
    isServer: false,
  });
});

function defineSuite({ options, start, isServer }: SuiteOptions): void {
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    sources = await startSources(options());
    running = await start(sources);
    await sources.ingest([...offers.map(offerLine), ...others, ...offers.flatMap(priceLines)]);
    await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
  });

  const priced = async () => {
    const asked = { query: { price: { min: 0n } }, region: "US", pageSize: 100 };
    return (await running.search.searchOffers(asked)).offerIds;
  };
  const untilKnown = () => expect.poll(() => lacksFloors(sources.database), patience).toBe(false);

  it("are found by their lows after an automatic backfill, and by other filters until then", async () => {
    expect(atTheirLow(offers, "ever").length).toBeGreaterThan(5);
    const before = await priced();
    const atLow = atTheirLow(offers, "ever");
    await running.close();
    await asReleaseBefore(sources.database);
    running = await start(sources);
    await expect
      .poll(async () => {
        expect(await priced()).toEqual(before);
        expect(atLow).toEqual(expect.arrayContaining(await findByLow(running, LowWindow.EVER)));
        return await lacksFloors(sources.database);
      }, patience)
      .toBe(false);
    // The index of the earlier format has no lows.
    await vi.waitFor(() => expectLows(running, offers), patience);
    expect(await priced()).toEqual(before);
  }, 120_000);

  it("are found again after a rollback to that release, which stored some", async () => {
    await running.close();
    await forgetFloors(sources.database, atTheirLow(offers, "ever").at(0));
    expect(await lacksFloors(sources.database)).toBe(true);
    running = await start(sources);
    await untilKnown();
    // An external index receives them afterwards.
    await vi.waitFor(() => expectLows(running, offers), patience);
  }, 120_000);

  it.runIf(isServer)(
    "are all found after the backfill was killed halfway",
    async () => {
      await running.close();
      await forgetFloors(sources.database);
      const { catalog, pricing, reviews, changelog } = sources.urls;
      const addresses = [options().url, catalog, pricing, reviews, changelog];
      const killed = spawn(process.execPath, [follower, ...addresses]);
      const exited = once(killed, "exit");
      const untilHalfway = async (tx: Transaction) => {
        // It stops at rows that this transaction has locked.
        await tx.read(`select from search.price join search.offer_number using (number)
          where offer_id like 'offer-%' for update of price`);
        killed.stdin.write("follow");
        try {
          await expect.poll(() => floorsElsewhere(sources.database), patience).toBeGreaterThan(0);
        } finally {
          killed.kill("SIGKILL");
          await exited;
        }
      };
      await sources.database.transaction(untilHalfway, { isUnlimited: true });
      expect(await lacksFloors(sources.database)).toBe(true);
      running = await start(sources);
      await untilKnown();
      await expectLows(running, offers);
    },
    120_000,
  );
}

/** Number of the other prices with a known floor. */
async function floorsElsewhere(database: Database): Promise<number> {
  const row = await database.readOne<{ count: number }>(
    `select count(*)::int4 as count from search.price join search.offer_number using (number)
      where offer_id like 'elsewhere-%' and not lacks_floor`,
  );
  return row?.count ?? 0;
}
