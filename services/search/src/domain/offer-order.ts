import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";
import type { OfferQuery } from "@storefront/contracts/search/v1/offer_query";
import type { OfferFilter, OfferOrder } from "../engine/offer-search.ts";
import type { SortField } from "./field-types.ts";
import { sortFields } from "./offer-fields.ts";
import type { SortName } from "./offer-fields.ts";

/** What of a query says its order. Without a sort it is by relevance when there is a text, else by the last change. */
export type OrderRequest = Pick<OfferQuery, "title" | "sort" | "direction">;

const names = new Map<OfferSort, SortName>(
  (Object.keys(sortFields) as SortName[]).map((name) => [sortFields[name].asked, name]),
);

/** The name of what a query sorts by; undefined where it leaves that open. */
export function sortName(sort: OfferSort): SortName | undefined {
  return names.get(sort);
}

/** The one spelling of an order: no default is named, and no direction that does not matter. */
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

/** How an engine sorts, and what it considers, for a query. */
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

/** Types of offers that are whole games, by their rank; what is added to a game has 0. */
const ranks: Readonly<Record<string, number>> = {
  BASE_GAME: baseGameRank,
  EDITION: 1,
  BUNDLE: 1,
};

/** All that {@link typeRank} gives but 0. */
export const typeRanks = [...new Set(Object.values(ranks))];

/**
 * How early an offer of a type stands among those whose titles a text finds alike, the highest first: who
 * types a game's name means the game, then an edition of it, then what can be added to it.
 */
export function typeRank(offerType: string | undefined): number {
  return (offerType === undefined ? undefined : ranks[offerType]) ?? 0;
}
