import { earliestFirst } from "./order.ts";
import type { OfferRecord } from "./records.ts";

const typeOrder = ["BASE_GAME", "DLC", "ADD_ON", "EDITION", "BUNDLE", "CONSUMABLE"];

/** The offer that represents an item, among those that contain it. */
export function bestOfferOf(
  itemId: string,
  offers: Iterable<OfferRecord>,
): OfferRecord | undefined {
  const rank = ({ offerType }: OfferRecord) => {
    const position = typeOrder.indexOf(offerType ?? "");
    return position === -1 ? typeOrder.length : position;
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
