import type { PricedOffer } from "../api/types.ts";
import { lowestTimeOf } from "../format/lowest-time.ts";

/** Says of how long a time a reduced price is the lowest; nothing where it is that of none. */
export function LowestBadge({ price }: { price: PricedOffer["price"] }) {
  const lowest = price && lowestTimeOf(price);
  return lowest ? <p className="lowest-badge lowest-dot">{lowest.name}</p> : null;
}
