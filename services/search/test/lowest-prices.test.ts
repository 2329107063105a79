import { LowWindow, OfferSort } from "@storefront/contracts/search/v1/offer_query";
import { describeOnEachMigratedDatabase, Seeded } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";
import {
  atTheirLow,
  daysBefore,
  expectLows,
  nowMs,
  offerLine,
  priceLines,
  randomOffer,
} from "./support/priced-offers.ts";

const { EVER, DAYS_365, DAYS_90, DAYS_30 } = LowWindow;

describeOnEachMigratedDatabase("a search by lows", suite, ["pglite", "postgres"]);

function suite(testDatabase: Parameters<Parameters<typeof describeOnEachMigratedDatabase>[1]>[0]) {
  let sources: Sources;
  let running: RunningSearch;
  beforeAll(async () => {
    sources = await startSources(testDatabase.options());
    running = await startSearch(sources);
  });
  afterAll(async () => {
    await running.close();
    await sources.close();
  });

  const caughtUp = async (lines: readonly Line[]) => {
    await sources.ingest(lines);
    await eventually(() => isCaughtUp(sources.database), { limitMs: 60_000 });
  };
  const find = async (lowestPriceOf: LowWindow, sort?: OfferSort) =>
    await running.search.searchOffers({
      query: { lowestPriceOf, ...(sort !== undefined && { sort }) },
      region: "US",
      pageSize: 100,
    });
  it("finds prices at their low, in any order of writes, and after release dates have changed", async () => {
    const random = new Seeded(7);
    const offers = Array.from({ length: 90 }, (_, index) => randomOffer(random, index));
    await caughtUp(offers.slice(0, 45).map(offerLine));
    await caughtUp(offers.flatMap(priceLines));
    await caughtUp(offers.slice(45).map(offerLine));
    expect(atTheirLow(offers, "days30").length).toBeGreaterThan(
      atTheirLow(offers, "ever").length + 5,
    );
    await expectLows(running, offers);
    const moved = offers.map((offer, index) => ({
      ...offer,
      releasedAtMs: index % 3 === 0 ? daysBefore(random.pick([-9, 15, 120])) : offer.releasedAtMs,
    }));
    await caughtUp(moved.map(offerLine));
    await expectLows(running, moved);
    const unpriced = moved.map((offer, index) =>
      index % 10 === 0 ? { ...offer, states: [...offer.states, { observedAtMs: nowMs }] } : offer,
    );
    await caughtUp(
      unpriced.flatMap((offer, index) => (index % 10 === 0 ? priceLines(offer).slice(-1) : [])),
    );
    await expectLows(running, unpriced);
  });

  it("sorts by the longest low, and reports that it filtered by lows", async () => {
    const byLow = await find(DAYS_30, OfferSort.LOWEST_FOR);
    expect(byLow.lowestFiltered).toBe(true);
    const rankOf = new Map(byLow.offerIds.map((id, rank) => [id, rank]));
    const longest = async (window: LowWindow) =>
      Math.max(...(await find(window)).offerIds.map((id) => rankOf.get(id) ?? Infinity));
    const counts = await Promise.all(
      [EVER, DAYS_365, DAYS_90, DAYS_30].map(
        async (window) => (await find(window)).offerIds.length,
      ),
    );
    expect(await Promise.all([EVER, DAYS_365, DAYS_90, DAYS_30].map(longest))).toEqual(
      counts.map((count) => count - 1),
    );
    expect(await find(LowWindow.UNSPECIFIED)).toMatchObject({ lowestFiltered: false });
  });
}
