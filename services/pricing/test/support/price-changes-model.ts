import { isDeepStrictEqual } from "node:util";

/** What is shown of a price, and when its source says that it was set. */
export interface ModelPrice {
  readonly currencyCode: string;
  readonly originalPrice: bigint;
  readonly discountPrice: bigint;
  /** Names of the sales that the discount comes from. */
  readonly sales: readonly string[];
  readonly updatedAtMs: number;
}

/** What is written: a price as it was seen, without one that it is gone, or that it is to be forgotten. */
export interface ModelWrite {
  readonly offerId: string;
  readonly region: string;
  readonly what: "seen" | "gone" | "forgotten";
  readonly atMs: number;
  readonly price?: ModelPrice | undefined;
}

/** A change that is to be listed. */
export interface ModelChange {
  readonly offerId: string;
  readonly region: string;
  readonly previousPrice: ModelPrice | undefined;
  readonly price: ModelPrice | undefined;
  /** When it was seen; of one that is forgotten, when that was done is not known beforehand. */
  readonly observedAtMs: number | undefined;
  readonly isForgotten: boolean;
}

/** The changes that writes make, in their order: every state beside the one before it, as the contract defines it. */
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
