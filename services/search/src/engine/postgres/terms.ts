import type { OfferDocument } from "../index-documents.ts";

/** What a term says of an offer. */
export type TermKind =
  | "type"
  | "tag"
  | "tagName"
  | "technology"
  | "category"
  | "attribute"
  | "seller"
  | "sellerName"
  | "developer"
  | "publisher"
  | "refundType"
  | "flag";

/** A value of a kind. */
export interface Term {
  readonly kind: TermKind;
  readonly value: string;
}

/** Flags are terms as well, so that one index serves every filter. */
export const codeRedemptionFlag: Term = { kind: "flag", value: "isCodeRedemptionOnly" };
export const blockchainFlag: Term = { kind: "flag", value: "isBlockchainUsed" };

/** The terms of an offer: those that it is filtered by, and those that aggregations count. */
export function termsOf(document: OfferDocument): {
  filters: Term[];
  facets: Term[];
  tags: Term[];
} {
  const all = (kind: TermKind, values: readonly (string | undefined)[]): Term[] =>
    [...new Set(values)].flatMap((value) =>
      value === undefined || value === "" ? [] : [{ kind, value }],
    );
  const type = all("type", [document.offerType]);
  const technologies = all("technology", document.technologies);
  const makers = [
    ...all("developer", [document.developer]),
    ...all("publisher", [document.publisher]),
  ];
  const tagIds = document.tags.map(({ id }) => id);
  const tagNames = document.tags.map(({ name }) => name);
  const tags = all("tag", tagIds);
  const filters = [
    ...type,
    ...tags,
    ...technologies,
    ...makers,
    ...all("category", document.categories),
    ...all("attribute", document.customAttributes),
    ...all("seller", [document.sellerId]),
    ...all("refundType", [document.refundType]),
    ...(document.isCodeRedemptionOnly ? [codeRedemptionFlag] : []),
    ...(document.isBlockchainUsed ? [blockchainFlag] : []),
  ];
  const facets = [
    ...type,
    ...technologies,
    ...makers,
    ...all("tagName", tagNames),
    ...all("sellerName", [document.sellerName]),
  ];
  return { filters, facets, tags };
}

/** One text for each term. */
export function termKey({ kind, value }: Term): string {
  return `${kind}\0${value}`;
}
