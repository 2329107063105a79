import type { OfferOrder, OfferSortKey } from "../offer-search.ts";

/** What each order compares; null where it is missing. Relevance is compared in any case. */
const keySql: Readonly<Record<Exclude<OfferSortKey, "relevance">, string>> = {
  releaseDate: "offer.release_date",
  upcoming: "offer.release_date",
  lastModifiedDate: "offer.last_modified_date",
  effectiveDate: "offer.effective_date",
  creationDate: "offer.creation_date",
  viewableDate: "offer.viewable_date",
  pcReleaseDate: "offer.pc_release_date",
  price: "price.discounted",
  discount: "price.original - price.discounted",
  // Quotients of equal fractions are equal, whatever their terms.
  discountPercent: `case when price.original = 0 then 0
    else (price.original - price.discounted)::float8 / price.original end`,
  priceUpdatedAt: "price.updated_at",
  giveawayDate: "offer.latest_giveaway_end",
};

/** The expression of an order's key, and which way it goes. */
export function orderSql({ key, isAscending }: OfferOrder): { key: string; direction: string } {
  if (key === "relevance") return { key: "null::int8", direction: "desc" };
  // Of what is still to come, the nearest comes first.
  const isUp = key === "upcoming" ? !isAscending : isAscending;
  return { key: keySql[key], direction: isUp ? "asc" : "desc" };
}
