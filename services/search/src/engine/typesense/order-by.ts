import { isRegion } from "@storefront/regions";
import type { OfferOrder, OfferSortKey } from "../offer-search.ts";
import { priceFields } from "./collections.ts";

const dateFields: Readonly<Partial<Record<OfferSortKey, string>>> = {
  releaseDate: "release_date",
  upcoming: "release_date",
  lastModifiedDate: "last_modified_date",
  effectiveDate: "effective_date",
  creationDate: "creation_date",
  viewableDate: "viewable_date",
  pcReleaseDate: "pc_release_date",
  giveawayDate: "latest_giveaway_end",
};

const priceKeys: Readonly<Partial<Record<OfferSortKey, keyof ReturnType<typeof priceFields>>>> = {
  price: "price",
  discount: "discount",
  discountPercent: "percent",
  priceUpdatedAt: "updated",
};

/**
 * `sort_by` of an order: its key, then how well the text matches, then what settles every tie. The
 * server takes three keys, so the type's rank, the title's length and the id are one.
 *
 * @param relevance an `_eval(…)`; undefined without a text.
 */
export function sortBy(order: OfferOrder, region: string, relevance: string | undefined): string {
  const field = fieldOf(order.key, region);
  // Of what is still to come, the nearest comes first.
  const isUp = order.key === "upcoming" ? !order.isAscending : order.isAscending;
  return [
    ...(field === undefined ? [] : [`${field}(missing_values: last):${isUp ? "asc" : "desc"}`]),
    ...(relevance === undefined ? ["id_order:asc"] : [`${relevance}:desc`, "text_order:asc"]),
  ].join(",");
}

function fieldOf(key: OfferSortKey, region: string): string | undefined {
  const priceKey = priceKeys[key];
  if (priceKey === undefined) return dateFields[key];
  return isRegion(region) ? priceFields(region)[priceKey] : undefined;
}
