import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { OfferFilter } from "../engine/offer-search.ts";
import { canonicalQuery } from "./canonical-query.ts";
import { offerOrder } from "./offer-order.ts";

/** The conditions of a canonical query, as engines take them. */
export function offerFilter(query: OfferQuery): OfferFilter {
  const { title, ...members } = query;
  return {
    ...members,
    text: title === "" ? undefined : title,
    only: offerOrder(query).only,
  };
}

/** A filter that every offer passes. */
export const everything = offerFilter(canonicalQuery());
