import { Code } from "@connectrpc/connect";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { IngestOutcome, ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { refusalOf } from "@storefront/service-process/testing/calls";
import { ErrorReason } from "@storefront/contracts/type/v1/error_reason";
import { describeOnEachMigratedDatabase, memoryDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { day, priceSeen, requests, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const { WRITTEN, UNCHANGED, REJECTED } = IngestOutcome;
const full = { original: 1000n, now: 1000n };
const half = { original: 1000n, now: 500n };

function priceGone(number: number, offerId: string): ObservationInit {
  return {
    operation: ObservationOperation.DELETE,
    observedAt: timestampFromDate(day(number)),
    record: { case: "price", value: { offerId, region: "US" } },
  };
}

describeOnEachMigratedDatabase(
  "the pricing ingest service",
  (testDatabase) => {
    let service: RunningPricing;
    beforeAll(async () => {
      service = await startPricing(testDatabase.options());
    });
    afterAll(() => service.close());

    it("returns an outcome per observation for each batch, in order", async () => {
      const responses = await service.ingest(
        [priceSeen(1, "i1", full), priceSeen(1, "i2", full)],
        [priceSeen(2, "i1", half), priceSeen(1, "i2", full)],
      );
      expect(responses.map(({ outcomes }) => outcomes)).toEqual([
        [WRITTEN, WRITTEN],
        [WRITTEN, UNCHANGED],
      ]);
    });

    it("rejects invalid observations by their field, and accepts the others", async () => {
      const [response] = await service.ingest([
        priceSeen(1, "r", full, "MARS"),
        { observedAt: timestampFromDate(day(1)) },
        { record: { case: "price", value: { offerId: "r", region: "US" } } },
        priceSeen(1, "r", { original: -1n, now: 0n }),
        {
          observedAt: timestampFromDate(day(1)),
          record: { case: "price", value: { offerId: "r", region: "US" } },
        },
        priceSeen(1, "r", full),
        {
          observedAt: timestampFromDate(new Date("9999-01-01T00:00:00Z")),
          record: { case: "giveaway", value: { id: "r" } },
        },
      ]);
      expect(response?.outcomes).toEqual([
        REJECTED,
        REJECTED,
        REJECTED,
        REJECTED,
        REJECTED,
        WRITTEN,
        REJECTED,
      ]);
      expect(response?.rejections.map(({ index, field }) => [index, field])).toEqual([
        [0, "region"],
        [1, "record"],
        [2, "observedAt"],
        [3, "price.originalPrice"],
        [4, "price"],
        [6, "observedAt"],
      ]);
    });

    it.each([0, 1_001])("refuses a batch of %i, and stores the batches before it", async (size) => {
      const offerId = `size-${size}`;
      const tooMany = Array.from({ length: size }, () => priceSeen(1, offerId, full));
      const error = await refusalOf(
        Array.fromAsync(
          service.ingestClient().ingestPricing(requests([[priceSeen(1, offerId, full)], tooMany])),
        ),
      );
      expect(error.code).toBe(Code.InvalidArgument);
      const { price } = await service.pricing.getPrice({ offerId, region: "US" });
      expect(price?.offerId).toBe(offerId);
    });

    it.each(["", "wrong"])("refuses the token %j with UNAUTHENTICATED", async (token) => {
      const client = service.ingestClient(token);
      const ingest = await refusalOf(
        Array.fromAsync(client.ingestPricing(requests([[priceSeen(1, "t", full)]]))),
      );
      const exported = await refusalOf(Array.fromAsync(client.exportPricing({})));
      for (const error of [ingest, exported]) {
        expect(error.code).toBe(Code.Unauthenticated);
        expect(error.reason).toBe(ErrorReason.INVALID_TOKEN);
      }
      const { prices } = await service.pricing.batchGetPrices({ offerIds: ["t"], region: "US" });
      expect(prices).toEqual([]);
    });

    it("forgets a price with its history, but not the offer's prices elsewhere", async () => {
      const seenIn = (number: number, region: string) => priceSeen(number, "f", full, region);
      await service.ingest([
        seenIn(1, "US"),
        priceSeen(2, "f", half),
        seenIn(3, "US"),
        seenIn(1, "GB"),
      ]);
      const pastIn = async (region: string) =>
        Number((await service.pricing.listPriceHistory({ offerId: "f", region })).totalSize);
      expect(await pastIn("US")).toBe(3);
      const forgotten = await service
        .ingestClient()
        .forgetRecord({ kind: "price", key: ["f", "US"] });
      expect(forgotten.wasStored).toBe(true);
      expect([await pastIn("US"), await pastIn("GB")]).toEqual([0, 1]);
      const again = await service.ingest([seenIn(1, "US")]);
      expect(again.flatMap(({ outcomes }) => outcomes)).toEqual([WRITTEN]);
    });

    describe("the export", () => {
      it("rebuilds prices, their past and their deletions in an empty service", async () => {
        await service.ingest([
          priceSeen(1, "e1", full),
          priceSeen(2, "e1", half),
          priceGone(3, "e1"),
          priceSeen(4, "e1", full),
          priceSeen(1, "e2", full),
          priceGone(2, "e2"),
          priceGone(9, "e3"),
          priceSeen(1, "e4", full),
          {
            observedAt: timestampFromDate(day(1)),
            record: { case: "giveaway", value: { id: "g1", offerId: "e1" } },
          },
        ]);
        const seenAgain = { ...priceSeen(1, "e4", full), observedAt: timestampFromDate(day(8)) };
        await service.ingest([seenAgain]);
        const batches = await service.exported();
        const copy = await startPricing(await memoryDatabase("schemas"));
        try {
          const responses = await copy.ingest(...batches);
          expect(responses.flatMap(({ rejections }) => rejections)).toEqual([]);
          for (const table of ["price_history", "giveaway", "tombstone"]) {
            const sql = `select * from pricing.${table} order by 1, 2, 3`;
            expect(await copy.database.read(sql)).toEqual(await service.database.read(sql));
          }
          // Includes the time when present prices were last observed, wherever that is stored.
          expect((await copy.exported()).flat()).toEqual(batches.flat());
          const again = await copy.ingest(...batches);
          expect(again.flatMap(({ outcomes }) => outcomes)).not.toContain(WRITTEN);
        } finally {
          await copy.close();
        }
      });

      it("is split into several messages when it is large", async () => {
        const batch = (offer: number) =>
          Array.from({ length: 1_000 }, (_, index) => priceSeen(1, `l${offer}-${index}`, full));
        await service.ingest(batch(1), batch(2));
        const batches = await service.exported();
        expect(batches.length).toBeGreaterThan(1);
        const ids = batches
          .flat()
          .flatMap(({ record }) => (record?.case === "price" ? [record.value.offerId ?? ""] : []));
        expect(new Set(ids.filter((id) => id.startsWith("l"))).size).toBe(2_000);
      });
    });
  },
  ["pglite", "postgres"],
);
