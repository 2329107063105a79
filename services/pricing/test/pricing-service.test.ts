import { Code } from "@connectrpc/connect";
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { GetPriceResponseSchema } from "@storefront/contracts/pricing/v1/pricing_service";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { describeOnEachMigratedDatabase, everyDriver } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { day, priceSeen, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const full = { original: 1000n, now: 1000n };
const half = { original: 1000n, now: 500n };

function giveaway(
  id: string,
  members: { offerId?: string; platform?: string; start?: number; end?: number },
): ObservationInit {
  const { start, end, ...rest } = members;
  return {
    observedAt: timestampFromDate(day(1)),
    record: {
      case: "giveaway",
      value: {
        id,
        ...rest,
        ...(start !== undefined && { startDate: timestampFromDate(day(start)) }),
        ...(end !== undefined && { endDate: timestampFromDate(day(end)) }),
      },
    },
  };
}

// The model of test/e2e checks prices, their history and lists of giveaways.
describeOnEachMigratedDatabase("the pricing service", suite, everyDriver);

function suite(testDatabase: TestDatabase): void {
  let service: RunningPricing;
  beforeAll(async () => {
    service = await startPricing(testDatabase.options());
    await service.ingest(
      [priceSeen(1, "a", full), priceSeen(1, "a", half, "EURO"), priceSeen(1, "d", half)],
      [
        giveaway("now-1", { offerId: "b", platform: "android", start: 11, end: 20 }),
        giveaway("now-2", { platform: "ios", start: 11, end: 20 }),
        giveaway("future", { offerId: "d", platform: "ios", start: 25, end: 30 }),
      ],
    );
  });
  afterAll(() => service.close());

  describe("GetPrice", () => {
    it("returns to each of several concurrent callers the price that it requested", async () => {
      const results = await Promise.allSettled(
        [
          { offerId: "a", region: "EURO" },
          { offerId: "a", region: "US" },
          { offerId: "none", region: "US" },
          { offerId: "d", region: "US" },
        ].map((request) => service.pricing.getPrice(request)),
      );
      const returned = results.map((each) =>
        each.status === "fulfilled"
          ? [each.value.price?.offerId, each.value.price?.price?.discountPrice]
          : [],
      );
      expect(returned).toEqual([["a", 500n], ["a", 1000n], [], ["d", 500n]]);
    });

    it("returns the same bytes as a newly encoded message", async () => {
      const response = await service.pricing.getPrice({ offerId: "a", region: "US" });
      const row = await service.database.readOne<{ record: Uint8Array }>(
        "select record from pricing.price where offer_id = 'a' and region = 'US'",
      );
      const stored = fromBinary(OfferPriceSchema, row?.record ?? new Uint8Array());
      expect(Buffer.from(toBinary(GetPriceResponseSchema, response))).toEqual(
        Buffer.from(
          toBinary(GetPriceResponseSchema, {
            $typeName: GetPriceResponseSchema.typeName,
            price: stored,
          }),
        ),
      );
      expect(Buffer.from(toBinary(OfferPriceSchema, stored))).toEqual(row?.record);
    });

    it("is NOT_FOUND with its reason when the offer has no price in the region", async () => {
      const error = await refusalOf(service.pricing.getPrice({ offerId: "a", region: "JP" }));
      expect(error).toMatchObject({
        code: Code.NotFound,
        reason: ErrorReason.PRICE_NOT_FOUND,
        metadata: { offerId: "a", region: "JP" },
      });
    });
  });

  it("ListPriceHistory does not grow when the same observations are repeated", async () => {
    const seen = [priceSeen(1, "h", full), priceSeen(2, "h", half)];
    const unchanged = { ...priceSeen(2, "h", half), observedAt: timestampFromDate(day(3)) };
    await service.ingest(seen, seen, [unchanged], seen);
    const history = await service.pricing.listPriceHistory({ offerId: "h", region: "US" });
    expect(history.totalSize).toBe(2n);
  });

  describe("giveaways", () => {
    const at = timestampFromDate(day(15));

    it("ListCurrentGiveaways includes both ends of a giveaway", async () => {
      const platforms = ["android"];
      for (const number of [11, 20]) {
        const instant = timestampFromDate(day(number));
        const response = await service.pricing.listCurrentGiveaways({ platforms, at: instant });
        expect(response.currentGiveaways).toHaveLength(1);
      }
    });

    it("lists of giveaways report how long they are valid, at most a day", async () => {
      const dayMs = 86_400_000n;
      const before = (number: number) =>
        timestampFromDate(new Date(day(number).getTime() - 60_000));
      const current = async (instant: ReturnType<typeof before>) =>
        (await service.pricing.listCurrentGiveaways({ platforms: ["ios"], at: instant }))
          .validForMs;
      const given = async (instant: ReturnType<typeof before>) =>
        (await service.pricing.listGivenAwayOffers({ at: instant })).validForMs;
      expect(await current(at)).toBe(dayMs);
      for (const change of [20, 25, 30]) expect(await current(before(change))).toBe(60_000n);
      expect(await current(timestampFromDate(day(40)))).toBe(dayMs);
      expect(await given(before(25))).toBe(60_000n);
      expect(await given(before(30))).toBe(dayMs);
    });
  });
}
