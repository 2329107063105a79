import { fromJson } from "@bufbuild/protobuf";
import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { PriceExclusion } from "@storefront/contracts/pricing/v1/price_lows";
import type { PriceLow, PriceLows } from "@storefront/contracts/pricing/v1/price_lows";
import { modelLows } from "@storefront/price-lows/model";
import { regions } from "@storefront/regions";
import { drillsAreLong, memoryDatabase, sharedData } from "@storefront/testkit";
import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const dayMs = 86_400_000;
/** Of the offers of the present state one of so many. */
const presentShare = drillsAreLong ? 1 : 120;
/** Instants at which the lows of each region are looked at. */
const instants = drillsAreLong ? 400 : 24;

interface PriceLine {
  readonly observedAt: string;
  readonly record: {
    readonly offerId: string;
    readonly region: string;
    readonly price: { currencyCode: string; originalPrice: number; discountPrice: number };
    readonly updatedAt?: string | null;
  };
}

const shared = sharedData();

test.skipIf(shared === undefined)(
  "lows of real prices in all regions are those that a look at every state gives",
  async () => {
    const { history = "", prices = "" } = shared?.importFiles ?? {};
    const series = inEveryRegion(await priceLines(history));
    const present = (await priceLines(prices)).filter(
      ({ record }) => Number.parseInt(record.offerId.slice(0, 6), 16) % presentShare === 0,
    );
    const service = await startPricing(await memoryDatabase("schemas"));
    onTestFinished(() => service.close());
    const all = [...series, ...present];
    await ingest(service, all);

    const byRegion = Map.groupBy(all, ({ record }) => record.region);
    expect(byRegion.size).toBe(52);
    const wrong: unknown[] = [];
    let answers = 0;
    for (const [region, lines] of byRegion) {
      const byOffer = Map.groupBy(lines, ({ record }) => record.offerId);
      for (const lowsAtMs of instantsOf(lines)) {
        for (const batch of batchesOf([...byOffer])) {
          answers += batch.length;
          wrong.push(...(await differences(service, region, batch, lowsAtMs)));
        }
      }
    }
    process.stderr.write(`${answers} lows of ${all.length} real states\n`);
    expect(wrong).toEqual([]);
    expect(answers).toBeGreaterThan(10_000);
  },
  drillsAreLong ? 1_200_000 : 120_000,
);

type OfferLines = readonly [offerId: string, lines: readonly PriceLine[]];

/** Prices whose lows are others than the model's. */
async function differences(
  { pricing }: RunningPricing,
  region: string,
  offers: readonly OfferLines[],
  lowsAtMs: number,
): Promise<unknown[]> {
  // Some are released amid their prices.
  const releaseOf = new Map(
    offers.flatMap(([offerId, [first]], index) =>
      first === undefined || index % 3 > 0
        ? []
        : [[offerId, Date.parse(first.observedAt) + (index % 100) * dayMs] as const],
    ),
  );
  const answer = await pricing.batchGetPrices({
    offerIds: offers.map(([offerId]) => offerId),
    region,
    withLows: true,
    lowsAt: timestampFromMs(lowsAtMs),
    releases: [...releaseOf].map(([offerId, ms]) => ({
      offerId,
      releasedAt: timestampFromMs(ms),
    })),
  });
  const lowsOf = new Map(answer.prices.map(({ offerId }, index) => [offerId, answer.lows[index]]));
  return offers.flatMap(([offerId, lines]) => {
    const releasedAtMs = releaseOf.get(offerId);
    const expected = modelLows(lines.map(stateOf), { atMs: lowsAtMs, releasedAtMs });
    const lows = lowsOf.get(offerId);
    const given = lows && shown(lows);
    return isSame(given, expected) ? [] : [{ offerId, region, lowsAtMs, given, expected }];
  });
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const exclusions = new Map<PriceExclusion, string>([
  [PriceExclusion.GIVEAWAY, "giveaway"],
  [PriceExclusion.BEFORE_RELEASE, "beforeRelease"],
  [PriceExclusion.OTHER_CURRENCY, "otherCurrency"],
]);

/** As the model says it. */
function shown({ reduction, ...lows }: PriceLows) {
  return {
    sinceMs: msOf(lows.since),
    ever: shownLow(lows.ever),
    days365: shownLow(lows.days365),
    days90: shownLow(lows.days90),
    days30: shownLow(lows.days30),
    reduction: reduction
      ? {
          sinceMs: msOf(reduction.since),
          priceBefore: numberOf(reduction.priceBefore),
          lowest30DaysBefore: numberOf(reduction.lowest30DaysBefore),
        }
      : null,
    excluded: lows.exclusions.map((exclusion) => exclusions.get(exclusion)),
  };
}

function shownLow(low: PriceLow | undefined) {
  if (low === undefined) return null;
  const { discountPrice, firstAt, lastAt } = low;
  return {
    discountPrice: Number(discountPrice),
    firstAtMs: msOf(firstAt),
    lastAtMs: msOf(lastAt),
  };
}

const msOf = (instant: Timestamp | undefined) => (instant ? timestampMs(instant) : null);
const numberOf = (amount: bigint | undefined) => (amount === undefined ? null : Number(amount));

function stateOf({ observedAt, record: { price, updatedAt } }: PriceLine) {
  return {
    observedAtMs: Date.parse(observedAt),
    updatedAtMs: typeof updatedAt === "string" ? Date.parse(updatedAt) : undefined,
    price,
  };
}

/** The starts of some prices, just then and when windows leave them. */
function instantsOf(lines: readonly PriceLine[]): number[] {
  const starts = lines.map(({ observedAt }) => Date.parse(observedAt)).toSorted((a, b) => a - b);
  const shifts = [0, 1, 30 * dayMs - 1, 30 * dayMs, 90 * dayMs, 365 * dayMs];
  return Array.from({ length: instants }, (_none, index) => {
    const start = starts[Math.floor((index / instants) * starts.length)] ?? 0;
    return start + (shifts[index % shifts.length] ?? 0);
  });
}

/** Each series of prices in each region, in the region's own currency, as an offer of its own. */
function inEveryRegion(lines: readonly PriceLine[]): PriceLine[] {
  return lines.flatMap((line) =>
    regions.map(({ region, currencyCode }) => ({
      ...line,
      record: {
        ...line.record,
        offerId: `${line.record.offerId} ${line.record.region}`,
        region,
        price: { ...line.record.price, currencyCode },
      },
    })),
  );
}

async function priceLines(file: string): Promise<PriceLine[]> {
  const text = gunzipSync(await readFile(file)).toString("utf8");
  return text
    .split("\n")
    .filter((line) => line.includes('"kind":"price"'))
    .map((line) => JSON.parse(line) as PriceLine);
}

async function ingest(service: RunningPricing, lines: readonly PriceLine[]): Promise<void> {
  const observations = lines.map(({ observedAt, record }): ObservationInit => {
    const value = fromJson(OfferPriceSchema, record);
    const observedAtMs = Date.parse(observedAt);
    return { observedAt: timestampFromMs(observedAtMs), record: { case: "price", value } };
  });
  await service.ingest(...batchesOf(observations));
}

function batchesOf<Element>(all: readonly Element[]): Element[][] {
  return Array.from({ length: Math.ceil(all.length / 1000) }, (_none, index) =>
    all.slice(index * 1000, index * 1000 + 1000),
  );
}
