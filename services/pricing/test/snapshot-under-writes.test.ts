import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { StoredObservation } from "@storefront/ingest";
import { describeOnEachMigratedDatabase } from "@storefront/testkit";
import type { TestDatabase } from "@storefront/testkit";
import { afterAll, beforeAll, expect, it } from "vitest";
import { everyObservation } from "../src/rpc/exported-records.ts";
import { priceSeen, startPricing } from "./harness.ts";
import type { ObservationInit, RunningPricing } from "./harness.ts";

const full = { original: 1000n, now: 1000n };
const half = { original: 1000n, now: 500n };

/** More than one page. */
const offers = Array.from({ length: 1_001 }, (_, index) => `p${String(index).padStart(4, "0")}`);

const deleted = (day: number, offerId: string): ObservationInit => ({
  ...priceSeen(day, offerId, full),
  operation: ObservationOperation.DELETE,
});

describeOnEachMigratedDatabase("prices with their past, read while they are written", suite);

function suite(testDatabase: TestDatabase): void {
  let service: RunningPricing;
  beforeAll(async () => {
    service = await startPricing(testDatabase.options());
    for (let from = 0; from < offers.length; from += 500) {
      const batch = offers.slice(from, from + 500);
      await service.ingest(batch.map((offerId) => priceSeen(1, offerId, full)));
    }
  });
  afterAll(() => service.close());

  it("leave later writes to the log, which has them in order", async () => {
    const { database } = service;
    const row = await database.readOne<{ seq: bigint }>(
      "select max(seq) as seq from pricing.change_log",
    );
    const reading = pricesOf(everyObservation(database, row?.seq));
    const read = [(await reading.next()).value];
    await service.ingest(
      // Added and deleted; changed and observed again.
      [priceSeen(2, "a", full), priceSeen(2, "p0000", half)],
      [deleted(3, "a"), priceSeen(3, "p0000", half)],
    );
    read.push(...(await Array.fromAsync(reading)));
    expect(read.map((each) => each?.key[0])).toEqual(offers);
    const all = await Array.fromAsync(everyObservation(database), ({ key: [offerId] }) => offerId);
    expect(all.filter((offerId) => offerId === "a")).toHaveLength(3);
    expect(all.filter((offerId) => offerId === "p0000")).toHaveLength(3);
  });
}

async function* pricesOf(
  observations: AsyncIterable<StoredObservation>,
): AsyncGenerator<StoredObservation> {
  for await (const each of observations) if (each.kind === "price") yield each;
}
