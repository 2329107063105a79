import type { Offer } from "@storefront/contracts/catalog/v1/offer";
import type {
  OfferQuery,
  OfferSort,
  Bucket,
  OfferAggregation,
  OfferAggregations,
} from "@storefront/contracts/search/v1/offer_query";
import type { CountFacetsResponse } from "@storefront/contracts/search/v1/search_service";
import type { OfferRow } from "../store/source-offer-store.ts";

/** Source of an offer's fields: its record, and data from other records. */
export interface OfferSource extends Omit<OfferRow, "id" | "record"> {
  readonly offer: Offer;
}

/** Names of message fields with such values. */
type MembersOf<Message, Value> = {
  [Name in keyof Message]-?: Exclude<Message[Name], undefined> extends Value ? Name : never;
}[keyof Message];

export type ListMember = MembersOf<OfferQuery, string[]>;
/** Response fields with counts by value. */
export type CountMember = MembersOf<OfferAggregations, Bucket[]>;
/** The same for saved queries. */
export type FacetMember = MembersOf<CountFacetsResponse, Bucket[]>;
type TextMember = Exclude<MembersOf<OfferQuery, string>, "$typeName" | "title">;
type SwitchMember = MembersOf<OfferQuery, boolean>;

/** A field to filter and count by; blank values are ignored. */
export interface TermField {
  /** Name of its values in indexes, existing ones included: it never changes. */
  readonly kind: string;
  readonly read: (source: OfferSource) => string | undefined | readonly string[];
  /** Whether it may have several values. Default false. */
  readonly isList?: boolean;
  /** The query field that it matches: any of several values, all of them, or a single one. */
  readonly filter?:
    | { readonly input: ListMember; readonly match: "any" | "all" }
    | { readonly input: TextMember; readonly match: "is" };
  /** Its count over search results, the aggregation that requests it, and the filter on its values: default its own. */
  readonly count?: {
    readonly as: CountMember;
    readonly input: OfferAggregation;
    readonly chosenBy?: TextMember;
  };
  /** Whether the previous release, which may read this release's index, counts it. Default false. */
  readonly isCountedBefore?: boolean;
  /** Its count over the results of a saved query; only with `filter`. */
  readonly facet?: FacetMember;
}

export interface FlagField {
  readonly read: (source: OfferSource) => boolean;
  /** The query field that it must equal, or that excludes it. */
  readonly filter: { readonly input: SwitchMember; readonly match: "is" | "not" };
}

/** An integer to sort by; times in milliseconds since 1970. */
export interface IntegerField {
  readonly read: (source: OfferSource) => number | undefined;
}

/** A sort order: by a field, or by prices when `by` is absent; `only` limits the offers. */
export interface SortField<Name> {
  readonly input: OfferSort;
  readonly by?: Name;
  readonly only?: "released" | "upcoming" | "out" | "givenAway";
}
