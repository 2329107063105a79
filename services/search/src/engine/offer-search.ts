import type { Region } from "@storefront/domain/identifiers";
import type { OfferQuery, PriceRange } from "@storefront/contracts/search/v1/offer_query";
import type { FacetQuery } from "../domain/facet-query.ts";
import type { Highlights } from "../domain/highlights.ts";
import type { CountName, FilterMember, SortName } from "../domain/offer-fields.ts";
import type { FacetMember, ListMember, SortField } from "../domain/field-types.ts";
import type { VectorSpace } from "./index-documents.ts";

/** Sort key; `relevance` is by text, `upcoming` by release date. */
export type OfferSortKey = Exclude<SortName, "priceAsc" | "priceDesc"> | "relevance";

/**
 * An order of offers. Missing values are last in both directions; ties are broken by relevance if there is a text, then
 * by id.
 */
export interface OfferOrder {
  readonly key: OfferSortKey;
  readonly isAscending: boolean;
}

/**
 * Whether the sort value falls as the key rises: the nearest release is first, and the longest low is the one with the
 * earliest start.
 */
export function isReversed(key: OfferSortKey): boolean {
  return key === "upcoming" || key === "lowestFor";
}

/** Query fields that are conditions. */
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

/** Conditions on offers, all required; an absent one, `undefined` or an empty list always holds. */
export interface OfferFilter extends Conditions {
  /** Not blank. */
  readonly text: string | undefined;
  /** Inclusive bounds of the discount price; without bounds any price. */
  readonly price?: Pick<PriceRange, "min" | "max"> | undefined;
  /** Implied by some orders: only released, upcoming, not known to be upcoming (`out`), or given away. */
  readonly only: SortField<string>["only"] | undefined;
}

export interface OfferSelection {
  readonly filter: OfferFilter;
  /** Pricing region; an unknown one has no prices. */
  readonly region: Region;
  /** The present time, milliseconds since 1970. */
  readonly nowMs: number;
}

/** The first results of a search. */
export interface OfferListing extends OfferSelection {
  readonly order: OfferOrder;
  /** At most 10,000. */
  readonly limit: number;
}

export interface OfferSearch extends OfferSelection {
  readonly order: OfferOrder;
  readonly offset: number;
  /** End of an earlier page of the same search, after which the page begins; `offset` is then ignored. */
  readonly after?: PagePosition | undefined;
  /** At most 100; 0 for counts only. */
  readonly limit: number;
  /** The counts to compute. */
  readonly aggregations: readonly AggregationName[];
  /**
   * Whether each count ignores the filter on its own values, except filters that require all of them. Default false.
   */
  readonly isDisjunctive?: boolean;
  /** Limits one of the counts, before its first buckets are selected. Default none. */
  readonly facetQuery?: FacetQuery | undefined;
  /** Maximum buckets of each count. Default 250. */
  readonly bucketsMax?: number;
  /** Whether to mark the text's matches in the page's offers. Default false. */
  readonly highlight?: boolean;
}

/** The last offer of a page, and its position in the search's order. */
export interface PagePosition {
  /** Its sort value; null when missing. */
  readonly key: number | null;
  /** Its relevance, in the engine's form. */
  readonly relevance: string;
  /** Its id; for offers that the engine cannot order by these members also earlier ones, the nearest first. */
  readonly offerIds: readonly string[];
  /** Number of offers before it. */
  readonly offset: number;
}

/** A value and the number of offers with it. */
export interface Bucket {
  readonly key: string;
  readonly count: number;
}

/** Of the results' discount prices in the region, minor units. */
export interface PriceStatistics {
  readonly count: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly avg: number | undefined;
}

/**
 * Buckets: most offers first, then by key in code point order; at most 250 each. Values without a letter or digit are
 * left out.
 */
export interface OfferAggregations extends Readonly<Record<CountName, readonly Bucket[]>> {
  readonly prices: PriceStatistics;
}

export type AggregationName = keyof OfferAggregations;

export interface OfferHits {
  readonly offerIds: readonly string[];
  /** End of the page; undefined on the last page. */
  readonly end: PagePosition | undefined;
  readonly total: number;
  /** Exactly the requested ones. */
  readonly aggregations: Partial<OfferAggregations>;
  readonly isTimedOut: boolean;
  /** By offer id; absent unless requested and the text has a letter or digit. */
  readonly highlights?: ReadonlyMap<string, Highlights> | undefined;
}

/** Facets of a saved query; buckets as in {@link OfferAggregations}, but unlimited. */
export interface FacetCounts {
  readonly buckets: Readonly<Partial<Record<FacetMember, readonly Bucket[]>>>;
  readonly total: number;
  readonly prices: PriceStatistics;
}

/** A search for changelog entries; newest first, then by id. */
export interface EntrySearch {
  /** Required words; the last may be a prefix. Blank finds all. */
  readonly text: string;
  readonly contextType: string | undefined;
  readonly contextId: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

export interface EntryHits {
  readonly entryIds: readonly string[];
  readonly total: number;
  /** Time of the newest entry in the index. */
  readonly indexedUntilMs: number | undefined;
}

/** A search by meaning: hybrid when offers have words of the text. */
export interface TextMeaningSearch {
  readonly text: string;
  readonly limit: number;
  /** Ranks only these, as if there were no others; default all. */
  readonly among?: OfferSelection | undefined;
}

/** The same by a vector of the text. */
export interface MeaningSearch extends TextMeaningSearch {
  /**
   * Makes the vector for a generation, with the model of its vectors. Called again when another generation has replaced
   * it; a rejection rejects the search.
   */
  vectorIn(generation: number): Promise<QueryVector>;
}

/** The embedding of a query. */
export interface QueryVector {
  /** Of unit length. */
  readonly vector: Float32Array;
  /** The vectors to compare with; default those without training. */
  readonly space?: VectorSpace;
}

/** An offer and its similarity, 0 to 1. */
export interface MeaningHit {
  readonly offerId: string;
  readonly score: number;
}
