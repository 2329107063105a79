import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { PriceExclusion } from "@storefront/contracts/pricing/v1/price_lows";
import type { PriceLow } from "@storefront/contracts/pricing/v1/price_lows";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { lowsOf as lowsOfPast, pastOfMessage } from "@storefront/domain/price-lows";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { day, priceSeen, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const at = (number: number): Timestamp => timestampFromMs(day(0).getTime() + number * 86_400_000);
const seen = (number: number, offerId: string, now: bigint, region = "US") =>
  priceSeen(number, offerId, { original: 1000n, now }, region);

function gone(number: number, offerId: string): ObservationInit {
  return {
    operation: ObservationOperation.DELETE,
    observedAt: at(number),
    record: { case: "price", value: { offerId, region: "US" } },
  };
}

/** The amount, and its first and last day. */
const shown = (low: PriceLow | undefined) =>
  low && [low.discountPrice, dayOf(low.firstAt), dayOf(low.lastAt)];

const dayOf = (instant: Timestamp | undefined) =>
  instant && (timestampMs(instant) - day(0).getTime()) / 86_400_000;

describeOnEachMigratedDatabase(
  "lows of prices",
  (testDatabase) => {
    let service: RunningPricing;
    beforeAll(async () => {
      service = await startPricing(testDatabase.options());
    });
    afterAll(() => service.close());

    const lowsOf = async (offerId: string, lowsAt: number, released?: number) => {
      const { lows } = await service.pricing.getPrice({
        offerId,
        region: "US",
        withLows: true,
        lowsAt: at(lowsAt),
        ...(released !== undefined && { releasedAt: at(released) }),
      });
      return lows;
    };
    const rowsOf = (offerId: string) =>
      service.database.read<{ observed_at: Date; message: Uint8Array }>(
        "select * from pricing.price_past where offer_id = $1",
        [offerId],
      );

    it("come with a price only on request, for states in one batch or many", async () => {
      const states = [seen(1, "a", 1000n), seen(5, "a", 300n), gone(8, "a"), seen(9, "a", 900n)];
      await service.ingest([...states.slice(0, 3), seen(1, "b", 800n)], states.slice(3));
      const plain = await service.pricing.getPrice({ offerId: "a", region: "US" });
      expect(plain.lows).toBeUndefined();
      const lows = await lowsOf("a", 36);
      expect(dayOf(lows?.since)).toBe(1);
      expect(shown(lows?.ever)).toEqual([300n, 5, 8]);
      expect(shown(lows?.days30)).toEqual([300n, 5, 8]);
      expect(lows?.validForMs).toBe(86_400_000n);
      expect(lows?.reduction).toMatchObject({ since: at(9), priceBefore: 300n });
      expect(shown((await lowsOf("a", 38))?.days30)).toEqual([900n, 9, undefined]);
      expect((await lowsOf("a", 37.5))?.validForMs).toBe(43_200_000n);
    });

    it("come with many prices in their order, each by its own release date", async () => {
      const response = await service.pricing.batchGetPrices({
        offerIds: ["b", "none", "a"],
        region: "US",
        withLows: true,
        lowsAt: at(10),
        releases: [{ offerId: "a", releasedAt: at(8) }],
      });
      expect(response.prices.map(({ offerId }) => offerId)).toEqual(["b", "a"]);
      expect(response.lows.map(({ ever }) => shown(ever))).toEqual([
        [800n, 1, undefined],
        [900n, 9, undefined],
      ]);
      expect(response.lows.map(({ exclusions }) => exclusions)).toEqual([
        [],
        [PriceExclusion.BEFORE_RELEASE],
      ]);
    });

    it("come as the pasts that they are derived from, on request", async () => {
      const request = { offerIds: ["b", "none", "a"], region: "US", withPasts: true };
      const { lows, pasts } = await service.pricing.batchGetPrices(request);
      expect(lows).toEqual([]);
      const ofAll = await service.pricing.listOfferPrices({ offerId: "a", withPasts: true });
      expect(ofAll.lows).toEqual([]);
      expect(ofAll.pasts).toEqual(pasts.slice(1));
      const { pasts: none } = await service.pricing.listOfferPrices({ offerId: "a" });
      expect(none).toEqual([]);
      const [ofB, ofA] = pasts.map((past) =>
        lowsOfPast(pastOfMessage(past), { atMs: timestampMs(at(36)) }),
      );
      expect(ofB?.ever).toMatchObject({ discountPrice: 800, lastAtMs: null });
      expect(ofA?.ever).toEqual({
        discountPrice: 300,
        firstAtMs: timestampMs(at(5)),
        lastAtMs: timestampMs(at(8)),
      });
    });

    it("come with the prices of all regions, each from its own past", async () => {
      await service.ingest([seen(1, "r", 500n), seen(2, "r", 100n, "EURO")], [seen(3, "r", 900n)]);
      const request = { offerId: "r", withLows: true, lowsAt: at(10) };
      const lowsIn = async (released?: number) => {
        const releasedAt = released === undefined ? {} : { releasedAt: at(released) };
        const { prices, lows } = await service.pricing.listOfferPrices({
          ...request,
          ...releasedAt,
        });
        return prices.map(({ region }, index) => [region, shown(lows[index]?.ever)]);
      };
      expect(await lowsIn()).toEqual([
        ["EURO", [100n, 2, undefined]],
        ["US", [500n, 1, 3]],
      ]);
      expect(await lowsIn(4)).toEqual([
        ["EURO", [100n, 4, undefined]],
        ["US", [900n, 4, undefined]],
      ]);
    });

    it("of a price with a single state need no row", async () => {
      expect([await rowsOf("a"), await rowsOf("b")].map(({ length }) => length)).toEqual([1, 0]);
    });

    it("include what a release without pasts has written", async () => {
      await service.ingest([seen(1, "old", 1000n)], [seen(2, "old", 600n)]);
      const [row] = await rowsOf("old");
      await service.ingest([seen(3, "old", 200n)]);
      await service.database.write(
        "update pricing.price_past set (observed_at, message) = ($1, $2) where offer_id = 'old'",
        [row?.observed_at, row?.message],
      );
      expect(shown((await lowsOf("old", 4))?.ever)).toEqual([200n, 3, undefined]);
      await service.ingest([seen(4, "old", 500n)]);
      expect(await rowsOf("old")).toMatchObject([{ observed_at: day(4) }]);
      expect(shown((await lowsOf("old", 5))?.ever)).toEqual([200n, 3, 4]);
    });

    it("exclude what was forgotten, by any release", async () => {
      const states = [seen(1, "f", 100n), seen(2, "f", 900n)];
      for (const forget of [
        () => service.ingestClient().forgetRecord({ kind: "price", key: ["f", "US"] }),
        () => service.database.write("delete from pricing.price_history where offer_id = 'f'"),
      ]) {
        await service.database.write("delete from pricing.price where offer_id = 'f'");
        await service.ingest([...states]);
        expect(await rowsOf("f")).toHaveLength(1);
        await forget();
        expect(await rowsOf("f")).toHaveLength(0);
      }
    });

    it("do not change when a batch fails", async () => {
      await service.ingest([seen(1, "k", 1000n), seen(2, "k", 600n)]);
      const before = await rowsOf("k");
      await service.database.write(`
        create function pricing.refuse() returns trigger language plpgsql as $$
          begin raise exception 'no'; end $$`);
      await service.database.write(`create trigger refuses before insert on pricing.change_log
        for each row execute function pricing.refuse()`);
      await expect(service.ingest([seen(3, "k", 100n)])).rejects.toThrow("internal error");
      await service.database.write("drop trigger refuses on pricing.change_log");
      expect(await rowsOf("k")).toEqual(before);
      expect(shown((await lowsOf("k", 4))?.ever)).toEqual([600n, 2, undefined]);
    });

    it("are the same in a database that was rebuilt from an export", async () => {
      const copy = await startPricing(await memoryDatabase("schemas"));
      try {
        await copy.ingest(...(await service.exported()));
        const sql = "select * from pricing.price_past order by 1, 2";
        const rows = await service.database.read(sql);
        expect(rows.length).toBeGreaterThan(2);
        expect(await copy.database.read(sql)).toEqual(rows);
      } finally {
        await copy.close();
      }
    });
  },
  ["pglite", "postgres"],
);
