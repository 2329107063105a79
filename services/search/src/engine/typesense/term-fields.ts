import type { TermKind } from "../../domain/field-names.ts";
import { countedFields, facetFields, filterFields } from "../../domain/offer-terms.ts";
import type { NamedField, Term } from "../../domain/offer-terms.ts";
import { snakeCase } from "../../domain/snake-case.ts";
import { valueToken } from "./tokens.ts";

/** Those that were named before kinds were. */
const facetNames: Readonly<Partial<Record<TermKind, string>>> = {
  type: "offer_type",
  tag: "tag_id",
};

/** The facet that counts a field. */
export function facetOf({ kind }: Pick<NamedField, "kind">): string {
  return facetNames[kind] ?? snakeCase(kind);
}

/** The fields that are counted, by their facet. */
export const facets: ReadonlyMap<string, NamedField> = new Map(
  [...countedFields.values(), ...facetFields.values()].map((field) => [facetOf(field), field]),
);

/** Where the tokens are of lists of which all are asked for together: each has a field of its own. */
const ownFields = new Map<TermKind, string>(
  filterFields.flatMap(({ kind, filter }) =>
    filter?.match === "all" ? [[kind, `${snakeCase(kind)}_terms`]] : [],
  ),
);

/** Stands for a term in a field of tokens. */
export function termToken({ kind, value }: Term): string {
  return valueToken(kind, value);
}

/** The field that has the tokens of a kind. */
export function tokenFieldOf(kind: TermKind): string {
  return ownFields.get(kind) ?? "terms";
}

/** All fields of tokens. */
export const tokenFields: readonly string[] = ["terms", ...ownFields.values()];
