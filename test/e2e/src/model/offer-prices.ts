import type { Catalogue } from "./catalogue.ts";
import type { Expected, Model } from "./model.ts";
import { withoutOthers } from "./offer-batch.ts";
import { byCodePoint } from "./order.ts";

/** What `listOfferPrices` returns, written from docs/api alone. `fields` defaults to all. */
export function offerPricesOf(
  catalogue: Catalogue,
  model: Model,
  offerId: string,
  fields?: readonly string[],
): Expected {
  if (!catalogue.offer.has(offerId)) return { status: 404 };
  const regions = [...catalogue.price.values()]
    .filter((price) => price.offerId === offerId)
    .map(({ region }) => region)
    .toSorted(byCodePoint);
  const isShown = (name: string) => name === "region" || (fields?.includes(name) ?? true);
  const prices = regions.map((region) => withoutOthers(model.price(offerId, region), isShown));
  return { status: 200, body: { offerId, prices } };
}
