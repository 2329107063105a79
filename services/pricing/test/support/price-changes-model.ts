import { isDeepStrictEqual } from "node:util";

/** The visible state of a price, and when its source set it. */
export interface ModelPrice {
  readonly currencyCode: string;
  readonly originalPrice: bigint;
  readonly discountPrice: bigint;
  /** Names of the sales that the discount comes from. */
  readonly sales: readonly string[];
  readonly updatedAtMs: number;
}

/** A write: an observed price, its deletion, or a request to forget it. */
export interface ModelWrite {
  readonly offerId: string;
  readonly region: string;
  readonly what: "seen" | "gone" | "forgotten";
  readonly atMs: number;
  readonly price?: ModelPrice | undefined;
}

/** An expected change. */
export interface ModelChange {
  readonly offerId: string;
  readonly region: string;
  readonly previousPrice: ModelPrice | undefined;
  readonly price: ModelPrice | undefined;
  /** Time of observation; undefined for a forgotten price, since that time is not known in advance. */
  readonly observedAtMs: number | undefined;
  readonly isForgotten: boolean;
}

/** The changes by writes, in order: each state compared with the previous one, as the contract defines. */
export function changesOf(writes: readonly ModelWrite[]): ModelChange[] {
  const keys = new Map<string, { seenAtMs: number; price: ModelPrice | undefined }>();
  let changes: ModelChange[] = [];
  for (const { offerId, region, what, atMs, price } of writes) {
    const key = `${offerId} ${region}`;
    const known = keys.get(key);
    const named = { offerId, region };
    if (what === "forgotten") {
      if (known === undefined) continue;
      keys.delete(key);
      changes = changes.filter((each) => each.offerId !== offerId || each.region !== region);
      const nothing = { previousPrice: undefined, price: undefined, observedAtMs: undefined };
      changes.push({ ...named, ...nothing, isForgotten: true });
      continue;
    }
    if (known !== undefined && atMs <= known.seenAtMs) continue;
    const after = what === "gone" ? undefined : price;
    keys.set(key, { seenAtMs: atMs, price: after });
    if (isDeepStrictEqual(shown(known?.price), shown(after))) continue;
    const states = { previousPrice: known?.price, price: after, observedAtMs: atMs };
    changes.push({ ...named, ...states, isForgotten: false });
  }
  return changes;
}

function shown(price: ModelPrice | undefined): unknown {
  return price && { ...price, updatedAtMs: 0 };
}
