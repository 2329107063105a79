import type { VectorSpace } from "./vector-space.ts";

/** What offers are sorted by; `relevance` is by text, `upcoming` by release date. */
export type OfferSortKey =
  | "relevance"
  | "releaseDate"
  | "lastModifiedDate"
  | "effectiveDate"
  | "creationDate"
  | "viewableDate"
  | "pcReleaseDate"
  | "upcoming"
  | "price"
  | "discount"
  | "discountPercent"
  | "priceUpdatedAt"
  | "giveawayDate";

/** An order of offers. A missing value is last both ways; ties go by relevance if there is a text, then by id. */
export interface OfferOrder {
  readonly key: OfferSortKey;
  readonly isAscending: boolean;
}

/** Conditions on offers; all must hold, an absent one or an empty list always does. */
export interface OfferFilter {
  /** Not blank. */
  readonly text: string | undefined;
  /** Any of. */
  readonly offerTypes: readonly string[];
  /** All of. */
  readonly tagIds: readonly string[];
  /** All of. */
  readonly technologies: readonly string[];
  /** Any of. */
  readonly categories: readonly string[];
  /** Any of these keys. */
  readonly customAttributes: readonly string[];
  readonly sellerId: string | undefined;
  readonly developer: string | undefined;
  readonly publisher: string | undefined;
  readonly refundType: string | undefined;
  readonly isCodeRedemptionOnly: boolean | undefined;
  /** Bounds on the discount price, inclusive; without bounds any price will do. */
  readonly price:
    | { readonly min: bigint | undefined; readonly max: bigint | undefined }
    | undefined;
  readonly onSale: boolean | undefined;
  readonly isLowestPrice: boolean;
  readonly excludeBlockchain: boolean;
  /** Only offers with a giveaway that has started. */
  readonly pastGiveaways: boolean;
  /** Only those released by now, or still to come, or with a giveaway: what some orders ask for. */
  readonly only: "released" | "upcoming" | "givenAway" | undefined;
}

/** Which offers are looked at. */
export interface OfferSelection {
  readonly filter: OfferFilter;
  /** Pricing region; one that does not exist has no prices. */
  readonly region: string;
  /** What counts as now, milliseconds since 1970. */
  readonly nowMs: number;
}

/** One search for offers. */
export interface OfferSearch extends OfferSelection {
  readonly order: OfferOrder;
  readonly offset: number;
  /** At most 100; 0 for the counts alone. */
  readonly limit: number;
  /** Which counts to answer with; what is not asked for is not worked out. */
  readonly aggregations: readonly AggregationName[];
}

/** A value and how many offers have it. */
export interface Bucket {
  readonly key: string;
  readonly count: number;
}

/** Of the found offers' discount prices in the region, minor units. */
export interface PriceStatistics {
  readonly count: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly avg: number | undefined;
}

/** Buckets: most offers first, then by key, ascending by code point; at most 250 each. Blank values have none. */
export interface OfferAggregations {
  readonly technologies: readonly Bucket[];
  readonly offerTypes: readonly Bucket[];
  /** By name; an offer with two tags of one name counts once. */
  readonly tags: readonly Bucket[];
  readonly developers: readonly Bucket[];
  readonly publishers: readonly Bucket[];
  /** By name. */
  readonly sellers: readonly Bucket[];
  readonly prices: PriceStatistics;
}

/** One of the counts over all that a search finds. */
export type AggregationName = keyof OfferAggregations;

/** All of them. */
export const aggregationNames: readonly AggregationName[] = [
  "technologies",
  "offerTypes",
  "tags",
  "developers",
  "publishers",
  "sellers",
  "prices",
];

/** What a search found. */
export interface OfferHits {
  readonly offerIds: readonly string[];
  readonly total: number;
  /** Exactly those that were asked for. */
  readonly aggregations: Partial<OfferAggregations>;
  readonly isTimedOut: boolean;
}

/** Facets of a saved query; buckets as in {@link OfferAggregations}, but not limited in number. */
export interface FacetCounts {
  /** By tag id. */
  readonly tagIds: readonly Bucket[];
  readonly offerTypes: readonly Bucket[];
  readonly developers: readonly Bucket[];
  readonly publishers: readonly Bucket[];
  readonly total: number;
  readonly prices: PriceStatistics;
}

/** One search for changelog entries; newest first, then by id. */
export interface EntrySearch {
  /** Words, all of which an entry has; the last may be a prefix. Blank finds all. */
  readonly text: string;
  readonly contextType: string | undefined;
  readonly contextId: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** What a search for entries found. */
export interface EntryHits {
  readonly entryIds: readonly string[];
  readonly total: number;
  /** Time of the newest entry in the index. */
  readonly indexedUntilMs: number | undefined;
}

/** A search by meaning: hybrid when the text has words that offers have. */
export interface TextMeaningSearch {
  readonly text: string;
  readonly limit: number;
  /** Only these are ranked, as though there were no others; default all. */
  readonly among?: OfferSelection | undefined;
}

/** The same by a vector that is made of the text. */
export interface MeaningSearch extends TextMeaningSearch {
  /**
   * Makes it for the generation that is asked, with the model whose vectors that one holds. Called
   * again when another generation has taken its place; what it rejects with, the search rejects with.
   */
  vectorIn(generation: number): Promise<QueryVector>;
}

/** What a text means to an embedder. */
export interface QueryVector {
  /** Of unit length. */
  readonly vector: Float32Array;
  /** Which vectors it compares with; default those of an embedder that does not learn. */
  readonly space?: VectorSpace;
}

/** An offer and how near it is, 0 to 1. */
export interface MeaningHit {
  readonly offerId: string;
  readonly score: number;
}
