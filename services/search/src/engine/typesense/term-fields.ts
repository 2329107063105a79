import { createHash } from "node:crypto";
import type { TermKind } from "../../domain/offer-fields.ts";
import { countedFields, facetFields } from "../../domain/offer-terms.ts";
import type { NamedField } from "../../domain/offer-terms.ts";
import { snakeCase } from "../../domain/snake-case.ts";

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

/**
 * Stands for a term in the field of tokens and in filters, byte for byte: two terms share a token only if they are
 * equal, and no value has a letter that means anything in a filter. Typesense itself would take
 * `AT&T`, `at t` and `ATT` for one, and cannot filter by `!?` at all.
 */
export function termToken({ kind, value }: { kind: string; value: string }): string {
  return `v${createHash("sha256").update(`${kind}\0${value}`).digest("hex").slice(0, 24)}`;
}
