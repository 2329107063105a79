import type { Observation } from "./read-observations.ts";
import type { PriceRecord } from "./records.ts";

/** A reported change of a price, without its id and storage time. */
export interface ModelPriceChange {
  offerId: string;
  region: string;
  /** Milliseconds since 1970. */
  observedAt: number;
  previousPrice: PriceRecord["price"] | null;
  price: PriceRecord["price"] | null;
}

/** What `listPriceChanges` returns after an import of files in their order, written from docs/api alone. */
export function priceChangesOf(files: readonly (readonly Observation[])[]): ModelPriceChange[] {
  const stored = new Map<string, { observedAt: number; price: PriceRecord["price"] | null }>();
  const changes: ModelPriceChange[] = [];
  for (const { kind, op, observedAt: text, record } of files.flat()) {
    if (kind !== "price") continue;
    const { offerId, region, price: named } = Object(record) as PriceRecord;
    const key = `${offerId} ${region}`;
    const observedAt = Date.parse(text);
    const before = stored.get(key);
    if (before !== undefined && observedAt <= before.observedAt) continue;
    const { currencyCode, originalPrice, discountPrice } = named;
    const price = op === "delete" ? null : { currencyCode, originalPrice, discountPrice };
    const previousPrice = before?.price ?? null;
    stored.set(key, { observedAt, price });
    // A repeated price, or one with only another `updatedAt`, is no change.
    if (isSame(previousPrice, price)) continue;
    changes.push({ offerId, region, observedAt, previousPrice, price });
  }
  return changes;
}

function isSame(a: PriceRecord["price"] | null, b: PriceRecord["price"] | null): boolean {
  return (
    a?.currencyCode === b?.currencyCode &&
    a?.originalPrice === b?.originalPrice &&
    a?.discountPrice === b?.discountPrice
  );
}
