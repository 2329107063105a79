import { LowWindow, OfferSort } from "@storefront/contracts/search/v1/offer_query";
import type { PriceLow, PriceState } from "@storefront/price-lows";
import { modelLows } from "@storefront/price-lows/model";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, isCaughtUp, startSearch, startSources } from "./support/search-fixture.ts";
import type { Line, RunningSearch, Sources } from "./support/search-fixture.ts";
import { Seeded } from "./support/seeded.ts";

const dayMs = 86_400_000;
const nowMs = Date.now();
const { EVER, DAYS_365, DAYS_90, DAYS_30 } = LowWindow;

/** An offer and all that its price in the US has been, oldest first. */
interface PricedOffer {
  readonly id: string;
  readonly releasedAtMs: number | undefined;
  readonly states: readonly PriceState[];
}

// Half a day beside every window's edge, so that no test is too slow for it.
const daysBefore = (days: number) => nowMs - (days + 0.5) * dayMs;

function randomOffer(random: Seeded, index: number): PricedOffer {
  const days = random.some([700, 500, 366, 364, 200, 91, 89, 60, 31, 29, 10, 3], 8);
  const states = [...new Set(days)]
    .toSorted((one, other) => other - one)
    .map((day): PriceState => {
      const observedAtMs = daysBefore(day);
      const originalPrice = random.pick([500, 1000, 1000, 1000]);
      const discountPrice = Math.min(originalPrice, random.pick([0, 300, 300, 500, 700, 1000]));
      const currencyCode = random.chance(0.05) ? "EUR" : "USD";
      const price = { currencyCode, originalPrice, discountPrice };
      return random.chance(0.1) ? { observedAtMs } : { observedAtMs, price };
    });
  const isKnown = random.chance(0.6);
  const releasedAtMs = isKnown ? daysBefore(random.pick([-9, 5, 40, 90, 300, 900])) : undefined;
  return { id: `offer-${index}`, releasedAtMs, states };
}

function offerLine({ id, releasedAtMs }: Pick<PricedOffer, "id" | "releasedAtMs">): Line {
  const releaseDate = releasedAtMs === undefined ? {} : { releaseDate: isoOf(releasedAtMs) };
  return { kind: "offer", record: { id, ...releaseDate } };
}

function priceLines({ id, states }: PricedOffer): Line[] {
  return states.map(({ price, observedAtMs }) => ({
    kind: "price",
    op: price === undefined ? "delete" : "upsert",
    seenAt: new Date(observedAtMs),
    record: { offerId: id, region: "US", ...(price && { price }) },
  }));
}

const isoOf = (timeMs: number) => new Date(timeMs).toISOString();

/** Ids of those whose price is the low of a time, by their lows. */
function atTheirLow(
  offers: readonly PricedOffer[],
  low: "ever" | "days365" | "days90" | "days30",
): string[] {
  return offers
    .filter(({ states, releasedAtMs }) => {
      const price = states.at(-1)?.price;
      const isGiven = price?.discountPrice === 0 && price.originalPrice > 0;
      const found: PriceLow | null = modelLows(states, { atMs: nowMs, releasedAtMs })[low];
      return !isGiven && found !== null && found.discountPrice === price?.discountPrice;
    })
    .map(({ id }) => id)
    .toSorted();
}

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
  const expectLows = async (offers: readonly PricedOffer[]) => {
    const found = async (window: LowWindow) => (await find(window)).offerIds.toSorted();
    expect(await found(EVER)).toEqual(atTheirLow(offers, "ever"));
    expect(await found(DAYS_365)).toEqual(atTheirLow(offers, "days365"));
    expect(await found(DAYS_90)).toEqual(atTheirLow(offers, "days90"));
    expect(await found(DAYS_30)).toEqual(atTheirLow(offers, "days30"));
  };

  it("finds those whose lows say it, whatever came first, and after a release has moved", async () => {
    const random = new Seeded(7);
    const offers = Array.from({ length: 90 }, (_, index) => randomOffer(random, index));
    await caughtUp(offers.slice(0, 45).map(offerLine));
    await caughtUp(offers.flatMap(priceLines));
    await caughtUp(offers.slice(45).map(offerLine));
    expect(atTheirLow(offers, "days30").length).toBeGreaterThan(
      atTheirLow(offers, "ever").length + 5,
    );
    await expectLows(offers);
    const moved = offers.map((offer, index) => ({
      ...offer,
      releasedAtMs: index % 3 === 0 ? daysBefore(random.pick([-9, 15, 120])) : offer.releasedAtMs,
    }));
    await caughtUp(moved.map(offerLine));
    await expectLows(moved);
    const unpriced = moved.map((offer, index) =>
      index % 10 === 0 ? { ...offer, states: [...offer.states, { observedAtMs: nowMs }] } : offer,
    );
    await caughtUp(
      unpriced.flatMap((offer, index) => (index % 10 === 0 ? priceLines(offer).slice(-1) : [])),
    );
    await expectLows(unpriced);
  });

  it("gives those first whose price has been the lowest for longest, and says that it looked", async () => {
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
