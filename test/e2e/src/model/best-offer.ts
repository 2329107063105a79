import { earliestFirst } from "./order.ts";
import type { OfferRecord } from "./records.ts";

const typeOrder = ["BASE_GAME", "DLC", "ADD_ON", "EDITION", "BUNDLE", "CONSUMABLE"];

/** Of the offers that contain an item, the one that stands for it. */
export function bestOfferOf(
  itemId: string,
  offers: Iterable<OfferRecord>,
): OfferRecord | undefined {
  const rank = ({ offerType }: OfferRecord) => {
    const place = typeOrder.indexOf(offerType ?? "");
    return place === -1 ? typeOrder.length : place;
  };
  const [best] = [...offers]
    .filter(({ items }) => items?.some(({ id }) => id === itemId))
    .toSorted(
      (a, b) =>
        Number(a.prePurchase ?? false) - Number(b.prePurchase ?? false) ||
        rank(a) - rank(b) ||
        earliestFirst(a, b),
    );
  return best;
}
