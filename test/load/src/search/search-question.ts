import { OfferSort, SortDirection } from "@storefront/contracts/search/v1/offer_query";

/** What the bench sorts by: the member of a search's body. */
export const sorts = {
  lastModifiedDate: OfferSort.LAST_MODIFIED_DATE,
  effectiveDate: OfferSort.EFFECTIVE_DATE,
  creationDate: OfferSort.CREATION_DATE,
  viewableDate: OfferSort.VIEWABLE_DATE,
  pcReleaseDate: OfferSort.PC_RELEASE_DATE,
  price: OfferSort.PRICE,
  discount: OfferSort.DISCOUNT,
  discountPercent: OfferSort.DISCOUNT_PERCENT,
  priceUpdatedAt: OfferSort.PRICE_UPDATED_AT,
} as const;

export type SortName = keyof typeof sorts;

/** A search as a client of REST sends it: the body, and the region of the country. */
export interface SearchQuestion {
  region: string;
  body: {
    offerType?: string[];
    tags?: string[];
    technologies?: string[];
    categories?: string[];
    customAttributes?: string[];
    developerDisplayName?: string;
    refundType?: string;
    isCodeRedemptionOnly?: boolean;
    price?: { min: number; max: number };
    onSale?: boolean;
    isLowestPrice?: boolean;
    sortBy: SortName;
    sortDir: "asc" | "desc";
    page: number;
    limit: number;
  };
}

/** The same search as a request of the search service. */
export function requestOf({ region, body }: SearchQuestion) {
  const { price, sortBy, sortDir, page, limit, offerType, tags, ...rest } = body;
  return {
    region,
    page,
    pageSize: limit,
    query: {
      ...rest,
      ...(offerType === undefined ? {} : { offerTypes: offerType }),
      ...(tags === undefined ? {} : { tagIds: tags }),
      ...(price === undefined ? {} : { price: { min: BigInt(price.min), max: BigInt(price.max) } }),
      sort: sorts[sortBy],
      direction: sortDir === "asc" ? SortDirection.ASC : SortDirection.DESC,
    },
  };
}
