import type { Timestamp } from "@bufbuild/protobuf/wkt";
import { ObservationOperation } from "@storefront/contracts/type/v1/observation";
import type { Seeded } from "@storefront/testkit";
import { catalogRecord, offerPrice } from "./random-observations.ts";
import type { CatalogObservation, PricingObservation } from "./random-observations.ts";

/** Observations that each change a stored record. */
export interface TrueChanges {
  catalog: (observedAt: Timestamp) => CatalogObservation;
  pricing: (observedAt: Timestamp) => PricingObservation;
}

/**
 * Random observations without those that no log has: unchanged records, and deletions of missing
 * records.
 */
export function trueChanges(random: Seeded): TrueChanges {
  const present = new Set<string>();
  let count = 0;

  function operationOn(key: string): ObservationOperation {
    if (present.has(key) && random.chance(0.1)) {
      present.delete(key);
      return ObservationOperation.DELETE;
    }
    present.add(key);
    return ObservationOperation.UPSERT;
  }

  return {
    catalog(observedAt) {
      // No two states are the same.
      const record = catalogRecord(random, `Title ${count++}`);
      return { operation: operationOn(keyOf(record)), observedAt, record };
    },
    pricing(observedAt) {
      const value = { ...offerPrice(random), updatedAt: observedAt };
      const operation = operationOn(`price ${value.offerId} ${value.region}`);
      return { operation, observedAt, record: { case: "price", value } };
    },
  };
}

function keyOf(record: ReturnType<typeof catalogRecord>): string {
  return record.case === "asset"
    ? `asset ${record.value.artifactId} ${record.value.namespace}`
    : `${record.case} ${record.value.id}`;
}
