/** Sort fields of docs/api/search.md; the sort by lows has questions of its own. */
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

export type SortField = (typeof sortFields)[number] | "lowestFor";

/** Windows of lowest prices. */
export const lowWindows = ["ever", "days365", "days90", "days30"] as const;

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

/** The body of an offer search without a text (docs/api/search.md). */
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
  lowestPriceOf?: (typeof lowWindows)[number];
  minRating?: number;
  excludeBlockchain?: boolean;
  pastGiveaways?: boolean;
  sortBy?: SortField;
  sortDir?: "asc" | "desc";
  page?: number;
  limit?: number;
  disjunctiveAggregations?: boolean;
  facetQuery?: { facet: Facet; text: string };
}
