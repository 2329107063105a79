import type { OfferFilter } from "../offer-search.ts";
import { blockchainFlag, codeRedemptionFlag } from "./terms.ts";
import type { Term, TermKind } from "./terms.ts";

/** What a filter asks of an offer's terms. */
export interface TermConditions {
  /** All of each of these lists. */
  readonly all: readonly Term[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly Term[])[];
  readonly none: readonly Term[];
}

/** The part of a filter that an offer's terms answer. */
export function termConditions(filter: OfferFilter): TermConditions {
  const of = (kind: TermKind, values: readonly (string | undefined)[]): Term[] =>
    values.flatMap((value) => (value === undefined ? [] : [{ kind, value }]));
  return {
    all: [
      ...of("tag", filter.tagIds),
      ...of("technology", filter.technologies),
      ...of("seller", [filter.sellerId]),
      ...of("developer", [filter.developer]),
      ...of("publisher", [filter.publisher]),
      ...of("refundType", [filter.refundType]),
      ...(filter.isCodeRedemptionOnly === true ? [codeRedemptionFlag] : []),
    ],
    any: [
      of("type", filter.offerTypes),
      of("category", filter.categories),
      of("attribute", filter.customAttributes),
    ].filter((terms) => terms.length > 0),
    none: [
      ...(filter.isCodeRedemptionOnly === false ? [codeRedemptionFlag] : []),
      ...(filter.excludeBlockchain ? [blockchainFlag] : []),
    ],
  };
}
