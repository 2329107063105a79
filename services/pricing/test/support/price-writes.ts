import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { OfferPrice } from "@storefront/contracts/pricing/v1/offer_price";
import type { PriceChange } from "@storefront/contracts/pricing/v1/price_change";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import { asRegion } from "@storefront/domain/identifiers";
import { firstRegions } from "@storefront/domain/regions";
import type { Seeded } from "@storefront/testkit";
import type { ObservationInit, RunningPricing } from "../harness.ts";
import type { ModelChange, ModelPrice, ModelWrite } from "./price-changes-model.ts";

export const regionsWritten = ["US", "EURO", "JP"] as const;

const startMs = Date.UTC(2025, 0, 1);

/** Writes of a few prices, which change, stay, reappear, are deleted and are forgotten. */
export function randomWrites(count: number, random: Seeded): ModelWrite[] {
  return Array.from({ length: count }, (_, index) => {
    const updatedAtMs = startMs + random.below(3) * 60_000;
    const originalPrice = random.pick([1000n, 2000n]);
    const region = random.pick(regionsWritten);
    const price = {
      currencyCode: firstRegions.get(asRegion(region))?.currencyCode ?? "",
      originalPrice,
      discountPrice: random.pick([originalPrice, 500n]),
      sales: random.pick([[], [], ["spring"], ["spring", "autumn"]]),
      updatedAtMs,
    };
    return {
      offerId: `offer-${random.below(4)}`,
      region,
      what: random.number() < 0.02 ? "forgotten" : random.number() < 0.1 ? "gone" : "seen",
      // Some arrive late.
      atMs: startMs + (index - random.below(20)) * 1000,
      price,
    };
  });
}

/** Sends writes in order, in small batches with some giveaways. */
export async function send(
  service: RunningPricing,
  writes: readonly ModelWrite[],
  random: Seeded,
): Promise<void> {
  const ingesting = service.ingestClient();
  let batch: ObservationInit[] = [];
  const flush = async () => {
    if (batch.length > 0) await service.ingest(batch);
    batch = [];
  };
  for (const [index, write] of writes.entries()) {
    if (write.what === "forgotten") {
      await flush();
      await ingesting.forgetRecord({ kind: "price", key: [write.offerId, write.region] });
      continue;
    }
    batch.push(observationOf(write));
    if (index % 7 === 0) batch.push(giveawayOf(index));
    if (random.chance(0.2)) await flush();
  }
  await flush();
}

/** A write as an observation. */
export function observationOf({ offerId, region, what, atMs, price }: ModelWrite): ObservationInit {
  const named = { offerId, region };
  return {
    operation: what === "gone" ? ObservationOperation.DELETE : ObservationOperation.UPSERT,
    observedAt: timestampFromMs(atMs),
    record: {
      case: "price",
      value: price === undefined || what === "gone" ? named : { ...named, ...membersOf(price) },
    },
  };
}

/** A change in the form of the model. */
export function modelChangeOf({
  offerId,
  region,
  isForgotten,
  ...change
}: PriceChange): ModelChange {
  return {
    offerId,
    region,
    previousPrice: change.previousPrice && modelPriceOf(change.previousPrice),
    price: change.price && modelPriceOf(change.price),
    observedAtMs:
      isForgotten || change.observedAt === undefined ? undefined : timestampMs(change.observedAt),
    isForgotten,
  };
}

function membersOf({ updatedAtMs, sales, ...price }: ModelPrice) {
  return {
    price,
    updatedAt: timestampFromMs(updatedAtMs),
    appliedRules: sales.map((name) => ({ name })),
  };
}

function modelPriceOf({ price, updatedAt, appliedRules }: OfferPrice): ModelPrice {
  return {
    currencyCode: price?.currencyCode ?? "",
    originalPrice: price?.originalPrice ?? 0n,
    discountPrice: price?.discountPrice ?? 0n,
    sales: appliedRules.map(({ name = "" }) => name),
    updatedAtMs: updatedAt === undefined ? 0 : timestampMs(updatedAt),
  };
}

function giveawayOf(number: number): ObservationInit {
  return {
    observedAt: timestampFromMs(startMs + number * 1000),
    record: { case: "giveaway", value: { id: `giveaway-${number}` } },
  };
}
