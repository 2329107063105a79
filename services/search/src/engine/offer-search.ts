import type { Region } from "@storefront/domain/identifiers";
import type { OfferQuery, PriceRange } from "@storefront/contracts/search/v1/offer_query";
import type { FacetQuery } from "../domain/facet-query.ts";
import type { Highlights } from "../domain/highlights.ts";
import type { CountName, FilterMember, SortName } from "../domain/offer-fields.ts";
import type { FacetMember, ListMember, SortField } from "../domain/field-types.ts";
import type { VectorSpace } from "./index-documents.ts";

/** What offers are sorted by; `relevance` is by text, `upcoming` by release date. */
export type OfferSortKey = Exclude<SortName, "priceAsc" | "priceDesc"> | "relevance";

/** An order of offers. A missing value is last both ways; ties go by relevance if there is a text, then by id. */
export interface OfferOrder {
  readonly key: OfferSortKey;
  readonly isAscending: boolean;
}

/**
 * Whether what an engine sorts by falls as the key rises: of what is still to come the nearest comes first, and who has
 * been the lowest for long has been so since early.
 */
export function isReversed(key: OfferSortKey): boolean {
  return key === "upcoming" || key === "lowestFor";
}

/** Members of a query that are conditions as they stand. */
type Conditions = {
  readonly [
    Name in
      | FilterMember
      | "onSale"
      | "isLowestPrice"
      | "lowestPriceOf"
      | "pastGiveaways"
      | "minRating"
  ]?: Name extends ListMember ? readonly string[] : OfferQuery[Name];
};

/** Conditions on offers; all must hold, an absent one, `undefined` or an empty list always does. */
export interface OfferFilter extends Conditions {
  /** Not blank. */
  readonly text: string | undefined;
  /** Bounds on the discount price, inclusive; without bounds any price will do. */
  readonly price?: Pick<PriceRange, "min" | "max"> | undefined;
  /**
   * Only those released by now, or still to come, or not known to be still to come, or with a giveaway: what some
   * orders ask for.
   */
  readonly only: SortField<string>["only"] | undefined;
}

export interface OfferSelection {
  readonly filter: OfferFilter;
  /** Pricing region; one that does not exist has no prices. */
  readonly region: Region;
  /** What counts as now, milliseconds since 1970. */
  readonly nowMs: number;
}

/** What a search finds, first of all, as far as a limit. */
export interface OfferListing extends OfferSelection {
  readonly order: OfferOrder;
  /** At most 10,000. */
  readonly limit: number;
}

export interface OfferSearch extends OfferSelection {
  readonly order: OfferOrder;
  readonly offset: number;
  /** Where an earlier page of the same search ended; the page begins behind it, and `offset` is ignored. */
  readonly after?: PagePosition | undefined;
  /** At most 100; 0 for the counts alone. */
  readonly limit: number;
  /** Which counts to return; others are not worked out. */
  readonly aggregations: readonly AggregationName[];
  /** Whether each is counted without the filter that chooses among its values, but for those that must all be there. Default false. */
  readonly isDisjunctive?: boolean;
  /** Narrows one of the counts, before its first values are taken. Default none. */
  readonly facetQuery?: FacetQuery | undefined;
  /** Most buckets of each count. Default 250. */
  readonly bucketsMax?: number;
  /** Whether to mark what the text matched in the page's offers. Default false. */
  readonly highlight?: boolean;
}

/** The last offer of a page, and what places it in the order of the search. */
export interface PagePosition {
  /** What it is sorted by before its id; null where that is missing. */
  readonly key: number | null;
  /** How well it matches the text, as the engine says it. */
  readonly relevance: string;
  /** Its id; of offers that the engine cannot tell apart by these members also those before it, the nearest first. */
  readonly offerIds: readonly string[];
  /** How many offers stood before it. */
  readonly offset: number;
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

/** Buckets: most offers first, then by key, ascending by code point; at most 250 each. Values without a letter or digit have none. */
export interface OfferAggregations extends Readonly<Record<CountName, readonly Bucket[]>> {
  readonly prices: PriceStatistics;
}

/** One of the counts over all that a search finds. */
export type AggregationName = keyof OfferAggregations;

/** What a search found. */
export interface OfferHits {
  readonly offerIds: readonly string[];
  /** Where the page ended; undefined when no more offers follow. */
  readonly end: PagePosition | undefined;
  readonly total: number;
  /** Exactly those that were asked for. */
  readonly aggregations: Partial<OfferAggregations>;
  readonly isTimedOut: boolean;
  /** By offer id; absent unless they were asked for and the text has a letter or digit. */
  readonly highlights?: ReadonlyMap<string, Highlights> | undefined;
}

/** Facets of a saved query; buckets as in {@link OfferAggregations}, but not limited in number. */
export interface FacetCounts {
  readonly buckets: Readonly<Partial<Record<FacetMember, readonly Bucket[]>>>;
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
