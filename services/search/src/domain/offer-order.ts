import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { OfferFilter, OfferOrder } from "../engine/offer-search.ts";
import type { SortField } from "./field-types.ts";
import { sortFields } from "./offer-fields.ts";
import type { SortName } from "./offer-fields.ts";

/** The fields of a query that define its order. Without `sort`: relevance when there is a text, else last modified. */
export type OrderRequest = Pick<OfferQuery, "title" | "sort" | "direction">;

const names = new Map<OfferSort, SortName>(
  (Object.keys(sortFields) as SortName[]).map((name) => [sortFields[name].input, name]),
);

/** The name of a query's sort; undefined when unspecified. */
export function sortName(sort: OfferSort): SortName | undefined {
  return names.get(sort);
}

/** The canonical order: defaults and directions without effect are left out. */
export function canonicalOrder({ title, sort, direction }: OrderRequest): OrderRequest {
  const isFixed = sort === OfferSort.PRICE_ASC || sort === OfferSort.PRICE_DESC;
  const isDefault = sort === OfferSort.LAST_MODIFIED_DATE && title === "";
  // Relevance has no direction.
  const hasDirection = !isFixed && (sort !== OfferSort.UNSPECIFIED || title === "");
  const isAscending = hasDirection && direction === SortDirection.ASC;
  return {
    title,
    sort: isDefault ? OfferSort.UNSPECIFIED : sort,
    direction: isAscending ? SortDirection.ASC : SortDirection.UNSPECIFIED,
  };
}

/** The engine's order and offer selection for a query. */
export function offerOrder({ title, sort, direction }: OrderRequest): {
  order: OfferOrder;
  only: OfferFilter["only"];
} {
  const name = sortName(sort);
  if (name === "priceAsc") return { order: { key: "price", isAscending: true }, only: undefined };
  if (name === "priceDesc") return { order: { key: "price", isAscending: false }, only: undefined };
  if (name === undefined && title !== "") {
    return { order: { key: "relevance", isAscending: false }, only: undefined };
  }
  const key = name ?? "lastModifiedDate";
  const { only }: SortField<string> = sortFields[key];
  return { order: { key, isAscending: direction === SortDirection.ASC }, only };
}

export const baseGameRank = 2;

/** Ranks of offer types that are whole games; add-ons have 0. */
const ranks: Readonly<Record<string, number>> = {
  BASE_GAME: baseGameRank,
  EDITION: 1,
  BUNDLE: 1,
};

/** All results of {@link typeRank} except 0. */
export const typeRanks = [...new Set(Object.values(ranks))];

/**
 * Rank of an offer type among equal title matches, highest first: a user who types a game's name means the
 * game, then an edition, then an add-on.
 */
export function typeRank(offerType: string | undefined): number {
  return (offerType === undefined ? undefined : ranks[offerType]) ?? 0;
}
