import { create } from "@bufbuild/protobuf";
import { OfferPriceSchema } from "@storefront/contracts/pricing/v1/offer_price";
import { IngestOutcome } from "@storefront/contracts/type/v1/observation";
import { migrate, openDatabase } from "@storefront/database";
import type { Database } from "@storefront/database";
import { createBatchApplier } from "@storefront/ingest";
import type { Observation } from "@storefront/ingest";
import { regions } from "@storefront/domain/regions";
import {
  describeUnlessMissing,
  memoryDatabase,
  missingPostgres,
  startPostgres,
} from "@storefront/testkit";
import type { TestServer } from "@storefront/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { pricingService } from "../src/pricing-service.ts";
import { pricingKinds } from "../src/kinds/pricing-kinds.ts";

const offers = 40;
const apply = createBatchApplier("pricing", pricingKinds);

/** The prices of some offers in all regions, each observed in a different second of that day. */
function pricesOf(day: number): Observation[] {
  return Array.from({ length: offers }, (_, offer) =>
    regions.map(({ region, currencyCode }, index) => ({
      kind: "price",
      operation: "upsert" as const,
      observedAt: new Date(Date.UTC(2026, 0, day, 0, offer, index)),
      record: create(OfferPriceSchema, {
        offerId: offer.toString(16).padStart(32, "0"),
        region,
        price: { currencyCode, originalPrice: 1000n, discountPrice: 900n, discount: 100n },
      }),
    })),
  ).flat();
}

function suite(openFresh: () => Promise<Database>): void {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
    await migrate(database, pricingService.migrations);
  });
  afterAll(() => database.close());

  const position = async () => {
    const row = await database.readOne<{ bytes: number }>(
      "select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes",
    );
    return row?.bytes ?? Number.NaN;
  };

  /** Bytes of write-ahead log for each price of a day. */
  const bytesEach = async (day: number, expected: IngestOutcome): Promise<number> => {
    const prices = pricesOf(day);
    const before = await position();
    const { outcomes } = await apply(database, prices);
    expect(new Set(outcomes)).toEqual(new Set([expected]));
    return ((await position()) - before) / prices.length;
  };

  it("need a tenth of the write-ahead log of row updates, or none for the same time", async () => {
    const { WRITTEN, UNCHANGED } = IngestOutcome;
    await bytesEach(1, WRITTEN);
    // A server sometimes logs its running transactions, in a few bytes.
    expect(await bytesEach(1, UNCHANGED)).toBeLessThan(1);
    await database.write("delete from pricing.sighting_start");
    const inRows = await bytesEach(2, UNCHANGED);
    await database.write("insert into pricing.sighting_start default values");
    expect(await bytesEach(3, UNCHANGED)).toBeLessThan(inRows / 10);
    expect(await bytesEach(4, UNCHANGED)).toBeLessThan(inRows / 10);
  });
}

describe("prices that are only observed again (pglite)", () => {
  suite(async () => await openDatabase(await memoryDatabase("schemas")));
});

describeUnlessMissing("prices that are only observed again (postgres)", missingPostgres(), () => {
  // A separate server, since no other process may write meanwhile.
  let server: TestServer;
  afterAll(() => server.stop());
  suite(async () => {
    server = await startPostgres();
    return await openDatabase({ url: server.url });
  });
});
