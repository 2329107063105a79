import type { OfferAggregation } from "@storefront/contracts/search/v1/offer_query";
import type { OfferDocument } from "../engine/index-documents.ts";
import type { AggregationName, OfferFilter } from "../engine/offer-search.ts";
import type { CountName, FieldValues, TermKind, TermName } from "./offer-fields.ts";
import { partsOfLabel } from "./label.ts";
import type { FacetMember, OfferSource, TermField } from "./field-types.ts";
import { flagFields, integerFields, termFields } from "./offer-fields.ts";

/** A value of a kind. */
export interface Term {
  readonly kind: TermKind;
  readonly value: string;
}

/** A field by whose values offers are found and counted. */
export interface NamedField extends TermField {
  readonly name: TermName;
  readonly kind: TermKind;
}

const fields: readonly NamedField[] = (Object.keys(termFields) as TermName[]).map((name) => ({
  name,
  ...termFields[name],
}));

const flags = (Object.keys(flagFields) as (keyof typeof flagFields)[]).map((name) => ({
  name,
  filter: flagFields[name].filter,
  // Flags are terms as well, so that one index serves every filter.
  term: { kind: "flag", value: name } satisfies Term,
}));

export const filterFields = fields.filter(({ filter }) => filter !== undefined);

/** The fields that are counted over what a search finds, by the name of the count. */
export const countedFields: ReadonlyMap<CountName, NamedField> = new Map(
  fields.flatMap((field) => (field.count === undefined ? [] : [[field.count.as, field]])),
);

/** The fields whose values are in the index to be counted, by this release or by the one before. */
export const indexedCounts = fields.filter(
  ({ count, isCountedBefore = false }) => count !== undefined || isCountedBefore,
);

/** All counts over what a search finds. */
export const aggregationNames: readonly AggregationName[] = [...countedFields.keys(), "prices"];

/** The names of counts by what asks for them. */
export const countNames: ReadonlyMap<OfferAggregation, CountName> = new Map(
  [...countedFields.values()].flatMap(({ count }) =>
    count === undefined ? [] : [[count.asked, count.as]],
  ),
);

/** The fields that are counted over what a saved query finds, by the name of the count. */
export const facetFields: ReadonlyMap<FacetMember, NamedField> = new Map(
  fields.flatMap((field) => (field.facet === undefined ? [] : [[field.facet, field]])),
);

/** What the fields of an offer are, as far as its record and others tell. */
export function fieldValues(source: OfferSource): FieldValues {
  const table = { ...termFields, ...flagFields, ...integerFields };
  return Object.fromEntries<FieldValues[keyof FieldValues]>(
    Object.entries(table).map(([name, { read }]) => [name, read(source)]),
  ) as FieldValues;
}

/** The values that an offer has of a field; one may be blank. */
export function valuesOf(document: OfferDocument, { name }: NamedField): string[] {
  return [document[name]].flat().filter((value) => value !== undefined);
}

/** Whether a value is counted: one without a letter or a digit says nothing, nor does a label whose name is such. */
export function isCounted(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(partsOfLabel(value).name);
}

/** The terms that an offer has of some fields; a value may be blank. */
export function termsOf(document: OfferDocument, of: Iterable<NamedField>): Term[] {
  return [...of].flatMap((field) =>
    valuesOf(document, field).map((value) => ({ kind: field.kind, value })),
  );
}

/** The terms of what is true of an offer. */
export function flagsOf(document: OfferDocument): Term[] {
  return flags.flatMap(({ name, term }) => (document[name] ? [term] : []));
}

/** What a filter asks of an offer's terms. */
export interface TermConditions {
  /** All of these. */
  readonly all: readonly Term[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly Term[])[];
  readonly none: readonly Term[];
}

/** The part of a filter that an offer's terms match. */
export function termConditions(filter: OfferFilter): TermConditions {
  const all: Term[] = [];
  const any: Term[][] = [];
  const none: Term[] = [];
  for (const { kind, filter: by } of filterFields) {
    const terms = [(by && filter[by.asked]) ?? []].flat().map((value) => ({ kind, value }));
    if (by?.match !== "any") all.push(...terms);
    else if (terms.length > 0) any.push(terms);
  }
  for (const { term, filter: by } of flags) {
    const isAsked = filter[by.asked];
    if (by.match === "is" && isAsked !== undefined) (isAsked ? all : none).push(term);
    if (by.match === "not" && isAsked === true) none.push(term);
  }
  return { all, any, none };
}
