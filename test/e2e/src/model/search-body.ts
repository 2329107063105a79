/** What offers can be sorted by, as docs/api.md lists it. */
export const sortFields = [
  "releaseDate",
  "lastModifiedDate",
  "effectiveDate",
  "creationDate",
  "viewableDate",
  "pcReleaseDate",
  "upcoming",
  "priceAsc",
  "priceDesc",
  "price",
  "discount",
  "discountPercent",
  "priceUpdatedAt",
  "giveawayDate",
] as const;

export type SortField = (typeof sortFields)[number];

/** Facets whose values can be searched. */
export const facets = [
  "technologies",
  "offerType",
  "tags",
  "developer",
  "publisher",
  "seller",
] as const;

export type Facet = (typeof facets)[number];

/** The body of an offer search without a text (docs/api.md, "searchOffers"). */
export interface SearchBody {
  offerType?: string | string[];
  tags?: string[];
  technologies?: string[];
  categories?: string[];
  customAttributes?: string[];
  seller?: string;
  developerDisplayName?: string;
  publisherDisplayName?: string;
  refundType?: string;
  isCodeRedemptionOnly?: boolean;
  price?: { min?: number; max?: number };
  onSale?: boolean;
  isLowestPrice?: boolean;
  excludeBlockchain?: boolean;
  pastGiveaways?: boolean;
  sortBy?: SortField;
  sortDir?: "asc" | "desc";
  page?: number;
  limit?: number;
  disjunctiveAggregations?: boolean;
  facetQuery?: { facet: Facet; text: string };
}
