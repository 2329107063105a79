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

/** A field to filter and count by. */
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
  // Flags are terms too, so that one index serves every filter.
  term: { kind: "flag", value: name } satisfies Term,
}));

export const filterFields = fields.filter(({ filter }) => filter !== undefined);

/** Fields counted over search results, by count name. */
export const countedFields: ReadonlyMap<CountName, NamedField> = new Map(
  fields.flatMap((field) => (field.count === undefined ? [] : [[field.count.as, field]])),
);

/** Fields whose values are indexed for counts of this or the previous release. */
export const indexedCounts = fields.filter(
  ({ count, isCountedBefore = false }) => count !== undefined || isCountedBefore,
);

export const aggregationNames: readonly AggregationName[] = [...countedFields.keys(), "prices"];

/** Count names by the aggregation that requests them. */
export const countNames: ReadonlyMap<OfferAggregation, CountName> = new Map(
  [...countedFields.values()].flatMap(({ count }) =>
    count === undefined ? [] : [[count.input, count.as]],
  ),
);

/** Fields counted over saved queries, by count name. */
export const facetFields: ReadonlyMap<FacetMember, NamedField> = new Map(
  fields.flatMap((field) => (field.facet === undefined ? [] : [[field.facet, field]])),
);

export function fieldValues(source: OfferSource): FieldValues {
  const table = { ...termFields, ...flagFields, ...integerFields };
  return Object.fromEntries<FieldValues[keyof FieldValues]>(
    Object.entries(table).map(([name, { read }]) => [name, read(source)]),
  ) as FieldValues;
}

/** An offer's values of a field; some may be blank. */
export function valuesOf(document: OfferDocument, { name }: NamedField): string[] {
  return [document[name]].flat().filter((value) => value !== undefined);
}

/** Whether a value is counted: one (or a label's name) without a letter or digit is not. */
export function isCounted(value: string): boolean {
  return /[\p{L}\p{N}]/u.test(partsOfLabel(value).name);
}

/** An offer's terms of some fields; values may be blank. */
export function termsOf(document: OfferDocument, of: Iterable<NamedField>): Term[] {
  return [...of].flatMap((field) =>
    valuesOf(document, field).map((value) => ({ kind: field.kind, value })),
  );
}

/** The flags that are true for an offer, as terms. */
export function flagsOf(document: OfferDocument): Term[] {
  return flags.flatMap(({ name, term }) => (document[name] ? [term] : []));
}

/** A filter's conditions on terms. */
interface TermConditions {
  /** All of these. */
  readonly all: readonly Term[];
  /** Any of each of these lists. */
  readonly any: readonly (readonly Term[])[];
  readonly none: readonly Term[];
}

/** The part of a filter that terms can match. */
export function termConditions(filter: OfferFilter): TermConditions {
  const all: Term[] = [];
  const any: Term[][] = [];
  const none: Term[] = [];
  for (const { kind, filter: by } of filterFields) {
    const terms = [(by && filter[by.input]) ?? []].flat().map((value) => ({ kind, value }));
    if (by?.match !== "any") all.push(...terms);
    else if (terms.length > 0) any.push(terms);
  }
  for (const { term, filter: by } of flags) {
    const isRequested = filter[by.input];
    if (by.match === "is" && isRequested !== undefined) (isRequested ? all : none).push(term);
    if (by.match === "not" && isRequested === true) none.push(term);
  }
  return { all, any, none };
}
