import { Code } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { regions } from "@storefront/domain/regions";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { day, priceSeen, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const { WRITTEN, REJECTED, STALE } = IngestOutcome;
const full = { original: 1000n, now: 1000n };

interface RegionInit {
  readonly currencyCode: string;
  readonly currencyDecimals: number;
  readonly countries: string[];
}

/** Days before those of the current test, whose database has the writes of earlier tests. */
let daysBefore = 0;
const seenOn = (number: number) => timestampFromDate(day(daysBefore + number));

const dollars: RegionInit = { currencyCode: "USD", currencyDecimals: 2, countries: ["US"] };

function regionSeen(number: number, id: string, region: RegionInit): ObservationInit {
  const observedAt = seenOn(number);
  return { observedAt, record: { case: "region", value: { id, ...region } } };
}

function gone(number: number, record: NonNullable<ObservationInit["record"]>): ObservationInit {
  const observedAt = seenOn(number);
  return { operation: ObservationOperation.DELETE, observedAt, record };
}

const regionGone = (number: number, id: string) => gone(number, { case: "region", value: { id } });

describeOnEachMigratedDatabase("regions", (testDatabase) => {
  let service: RunningPricing;
  beforeEach(async () => {
    daysBefore += 10;
    service = await startPricing(testDatabase.options());
  });
  afterEach(() => service.close());

  const listed = async () => (await service.pricing.listRegions({})).regions;

  /** The outcomes of one batch, and the reasons of rejections. */
  async function sent(...observations: ObservationInit[]) {
    const [response] = await service.ingest(observations);
    return {
      outcomes: response?.outcomes,
      reasons: response?.rejections.map(({ reason }) => reason) ?? [],
    };
  }

  it("are initially those of the specification, which any observation overrides", async () => {
    expect(await listed()).toMatchObject(
      regions.map(({ region, ...members }) => ({ id: region, ...members })),
    );
    const observedAt = timestampFromDate(new Date("0001-01-01T00:00:00.001Z"));
    const { outcomes } = await sent({ ...regionSeen(1, "US", dollars), observedAt });
    expect(outcomes).toEqual([IngestOutcome.UNCHANGED]);
    const { outcomes: changed } = await sent(
      regionSeen(1, "US", { ...dollars, countries: ["US", "XX"] }),
      regionGone(1, "JP"),
    );
    expect(changed).toEqual([WRITTEN, WRITTEN]);
    const now = await listed();
    expect(now.find(({ id }) => id === "US")?.countries).toEqual(["US", "XX"]);
    expect(now.map(({ id }) => id)).not.toContain("JP");
  });

  it("accept prices of the same batch in any currency, but none before they exist", async () => {
    const inKuwait = (offerId: string, currencyCode: string) =>
      priceSeen(daysBefore + 1, offerId, full, "KUWAIT", currencyCode);
    const { outcomes, reasons } = await sent(
      inKuwait("early", "KWD"),
      regionSeen(1, "MIDEAST", { ...dollars, countries: ["BH"] }),
      regionSeen(1, "KUWAIT", { currencyCode: "KWD", currencyDecimals: 3, countries: ["KW"] }),
      inKuwait("good", "KWD"),
      inKuwait("of before", "USD"),
    );
    expect(outcomes).toEqual([REJECTED, WRITTEN, WRITTEN, WRITTEN, WRITTEN]);
    expect(reasons).toEqual([
      "price.region must be one of the pricing regions: there is no KUWAIT",
    ]);
  });

  it("with current prices do not change their currency or decimals, and are not withdrawn or forgotten", async () => {
    await sent(priceSeen(daysBefore + 1, "a", full), priceSeen(daysBefore + 1, "b", full));
    const { outcomes, reasons } = await sent(
      regionSeen(1, "US", { ...dollars, currencyCode: "CAD" }),
      regionSeen(1, "US", { ...dollars, currencyDecimals: 0 }),
      regionGone(1, "US"),
    );
    expect(outcomes).toEqual([REJECTED, REJECTED, REJECTED]);
    const rule = "must stay while there are current prices in the region: US has 2";
    expect(reasons).toEqual([
      `region.currencyCode ${rule}`,
      `region.currencyDecimals ${rule}`,
      `region ${rule}`,
    ]);
    const forgotten = service.ingestClient().forgetRecord({ kind: "region", key: ["US"] });
    expect(await refusalOf(forgotten)).toMatchObject({
      code: Code.InvalidArgument,
      fields: ["key"],
    });

    const priceGone = (offerId: string) =>
      gone(2, { case: "price", value: { offerId, region: "US" } });
    const { outcomes: after } = await sent(
      priceGone("a"),
      priceGone("b"),
      regionGone(2, "US"),
      regionSeen(1, "US", dollars),
      priceSeen(daysBefore + 3, "a", full),
    );
    expect(after).toEqual([WRITTEN, WRITTEN, WRITTEN, STALE, REJECTED]);
  });

  it("have no country of another region", async () => {
    const us = regionSeen(1, "US", { ...dollars, countries: ["US", "CA"] });
    const { reasons } = await sent(us);
    expect(reasons).toEqual(["region.countries[1] must be in no other region: CA is in CA"]);
    const { outcomes } = await sent(regionGone(1, "CA"), us);
    expect(outcomes).toEqual([WRITTEN, WRITTEN]);
  });

  it("of an invalid form are rejected, each by its member", async () => {
    const { reasons } = await sent(
      regionSeen(1, "us", dollars),
      regionSeen(1, "US", { ...dollars, currencyCode: "dollar" }),
      regionSeen(1, "US", { ...dollars, currencyDecimals: 5 }),
      regionSeen(1, "US", { ...dollars, countries: ["usa"] }),
    );
    expect(reasons).toEqual([
      "region.id must be a code of 1 to 16 capital letters and digits, such as US",
      "region.currencyCode must be three capital letters, such as USD",
      "region.currencyDecimals must be 0 to 4",
      "region.countries[0] must be two capital letters, such as US",
    ]);
  });
});

describeOnEachMigratedDatabase("an export with regions", (testDatabase) => {
  let before: RunningPricing;
  let after: RunningPricing;
  beforeAll(async () => {
    before = await startPricing(testDatabase.options());
    after = await startPricing(await memoryDatabase("schemas"));
  });
  afterAll(() => Promise.all([before.close(), after.close()]));

  it("restores regions in any order, and the past of prices in withdrawn ones", async () => {
    await before.ingest([
      priceSeen(daysBefore + 1, "a", full, "JP", "JPY"),
      gone(2, { case: "price", value: { offerId: "a", region: "JP" } }),
      regionGone(2, "JP"),
      // Canada takes a country of a region that comes later in the order.
      regionSeen(2, "MIDEAST", { ...dollars, countries: ["BH"] }),
      regionSeen(2, "CA", { currencyCode: "CAD", currencyDecimals: 2, countries: ["CA", "KW"] }),
    ]);
    const batches = (await before.exported()).map((batch) =>
      batch.map((each) =>
        each.operation === ObservationOperation.DELETE
          ? each
          : { ...each, operation: ObservationOperation.RESTORE },
      ),
    );
    const responses = await after.ingest(...batches);
    expect(responses.flatMap(({ rejections }) => rejections)).toEqual([]);
    const state = async ({ pricing }: RunningPricing) => ({
      regions: (await pricing.listRegions({})).regions,
      history: await pricing.listPriceHistory({ offerId: "a", region: "JP" }),
    });
    const restored = await state(after);
    expect(restored).toEqual(await state(before));
    expect(restored.regions).toHaveLength(51);
    expect(restored.history.totalSize).toBe(1n);
  });
});
