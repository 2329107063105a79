import type { OfferFilter, OfferOrder, OfferSortKey } from "../engine/offer-search.ts";

/** What a query can sort by; without any it is relevance when there is a text, else the last change. */
export type QuerySort = Exclude<OfferSortKey, "relevance"> | "priceAsc" | "priceDesc";

/** The order that a query asks for. */
export interface OrderRequest {
  /** Blank means none. */
  readonly title: string;
  readonly sort?: QuerySort | undefined;
  /** Default descending. */
  readonly isAscending?: boolean | undefined;
}

/** What {@link canonicalOrder} decides. */
interface CanonicalOrder {
  readonly sort: QuerySort | undefined;
  readonly isAscending: boolean;
}

const narrowing: Readonly<Partial<Record<OfferSortKey, OfferFilter["only"]>>> = {
  releaseDate: "released",
  upcoming: "upcoming",
  giveawayDate: "givenAway",
};

/** The one spelling of an order: no default is named, and no direction that does not matter. */
export function canonicalOrder({ title, sort, isAscending = false }: OrderRequest): CanonicalOrder {
  if (sort === "priceAsc" || sort === "priceDesc") return { sort, isAscending: false };
  const isDefault = sort === "lastModifiedDate" && title === "";
  // Relevance has no direction.
  const hasDirection = sort !== undefined || title === "";
  return { sort: isDefault ? undefined : sort, isAscending: hasDirection && isAscending };
}

/** How an engine sorts, and what it considers, for a query. */
export function offerOrder({ title, sort, isAscending = false }: OrderRequest): {
  order: OfferOrder;
  only: OfferFilter["only"];
} {
  if (sort === "priceAsc") return { order: { key: "price", isAscending: true }, only: undefined };
  if (sort === "priceDesc") return { order: { key: "price", isAscending: false }, only: undefined };
  if (sort === undefined && title !== "") {
    return { order: { key: "relevance", isAscending: false }, only: undefined };
  }
  const key = sort ?? "lastModifiedDate";
  return { order: { key, isAscending }, only: narrowing[key] };
}
