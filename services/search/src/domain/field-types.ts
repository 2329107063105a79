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

/** What the fields of an offer are read from: its record, and what other records say of it. */
export interface OfferSource extends Omit<OfferRow, "id" | "record"> {
  readonly offer: Offer;
}

/** Names of the members of a message that have such values. */
type MembersOf<Message, Value> = {
  [Name in keyof Message]-?: Exclude<Message[Name], undefined> extends Value ? Name : never;
}[keyof Message];

export type ListMember = MembersOf<OfferQuery, string[]>;
/** Members of a response that are counts by value. */
export type CountMember = MembersOf<OfferAggregations, Bucket[]>;
/** The same of what a saved query finds. */
export type FacetMember = MembersOf<CountFacetsResponse, Bucket[]>;
type TextMember = Exclude<MembersOf<OfferQuery, string>, "$typeName" | "title">;
type SwitchMember = MembersOf<OfferQuery, boolean>;

/** A field by whose values offers are found and counted; a blank one is none. */
export interface TermField {
  /** What its values are called in indexes, those that exist included: it never changes. */
  readonly kind: string;
  readonly read: (source: OfferSource) => string | undefined | readonly string[];
  /** Whether it may have several. Default false. */
  readonly isList?: boolean;
  /** Which member of a query it matches: with any of its values, with all of them, with the only one. */
  readonly filter?:
    | { readonly asked: ListMember; readonly match: "any" | "all" }
    | { readonly asked: TextMember; readonly match: "is" };
  /** The count over what a search finds, what asks for it, and whose filter chooses among its values: default its own. */
  readonly count?: {
    readonly as: CountMember;
    readonly asked: OfferAggregation;
    readonly chosenBy?: TextMember;
  };
  /** Whether the release before counts it, which may read this release's index. Default false. */
  readonly isCountedBefore?: boolean;
  /** The count over what a saved query finds; only of a field that is filtered by. */
  readonly facet?: FacetMember;
}

/** A field that is true or not. */
export interface FlagField {
  readonly read: (source: OfferSource) => boolean;
  /** Which member of a query it has to equal, or has to be false for. */
  readonly filter: { readonly asked: SwitchMember; readonly match: "is" | "not" };
}

/** A whole number to sort by; a time is one of milliseconds since 1970. */
export interface IntegerField {
  readonly read: (source: OfferSource) => number | undefined;
}

/** An order: by a field, or by prices where none is named; and which offers alone it considers. */
export interface SortField<Name> {
  readonly asked: OfferSort;
  readonly by?: Name;
  readonly only?: "released" | "upcoming" | "out" | "givenAway";
}
