import type { Collection } from "../documents/collection.ts";
import type { Field } from "../schema/field.ts";
import { concreteFields, findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { SearchParameters } from "./search-parameters.ts";
import { splitOutsideParentheses } from "./search-parameters.ts";

/** A labelled range of numbers: the lower end belongs to it, the upper end does not. */
export interface FacetRange {
  label: string;
  from: number;
  to: number;
}

/** One facet to be counted. */
export interface Facet {
  field: Field;
  /** Empty when the values themselves are counted. */
  ranges: FacetRange[];
  /** Order by the value's text instead of the count. */
  alphabetical: "asc" | "desc" | undefined;
  /** Text that the values are narrowed by; undefined when they are not. */
  query: string | undefined;
}

/**
 * Reads `facet_by` and `facet_query`.
 *
 * @throws TypesenseError 400 or 404 in the server's words.
 */
export function parseFacets(collection: Collection, parameters: SearchParameters): Facet[] {
  const facets = parameters.facetBy.flatMap((entry) =>
    parseFacet(collection, entry, parameters.validateFieldNames),
  );
  const { facetQuery } = parameters;
  if (facetQuery === "") return facets;
  const colon = facetQuery.indexOf(":");
  if (colon === -1) {
    throw new TypesenseError("Facet query must be in the `facet_field: value` format.");
  }
  if (parameters.facetBy.length === 0) {
    throw new TypesenseError(
      "The `facet_query` parameter is supplied without a `facet_by` parameter.",
    );
  }
  const name = facetQuery.slice(0, colon).trim();
  const query = facetQuery.slice(colon + 1).trim();
  if (query === "") return facets;
  if (!facets.some((facet) => facet.field.name === name)) {
    throw new TypesenseError(
      `Facet query refers to a facet field \`${name}\` that is not part of \`facet_by\` parameter.`,
    );
  }
  return facets.map((facet) => (facet.field.name === name ? { ...facet, query } : facet));
}

function parseFacet(collection: Collection, entry: string, validate: boolean): Facet[] {
  const [, name = "", argument] = /^([^(]*)(?:\((.*)\))?$/su.exec(entry) ?? [];
  const plain = { ranges: [], alphabetical: undefined, query: undefined };
  if (name.endsWith("*")) {
    return concreteFields(collection.schema)
      .filter((field) => field.facet && field.name.startsWith(name.slice(0, -1)))
      .map((field) => ({ field, ...plain }));
  }
  const field = findField(collection.schema, name.trim());
  if (field === undefined || !field.facet) {
    if (!validate) return [];
    throw new TypesenseError(
      `Could not find a facet field named \`${name.trim()}\` in the schema.`,
      404,
    );
  }
  const order = /^\s*sort_by\s*:\s*_alpha\s*:\s*(asc|desc)\s*$/u.exec(argument ?? "")?.[1];
  if (order === "asc" || order === "desc") return [{ field, ...plain, alphabetical: order }];
  return [{ field, ...plain, ranges: argument === undefined ? [] : parseRanges(argument) }];
}

function parseRanges(argument: string): FacetRange[] {
  return splitOutsideParentheses(argument.replaceAll("[", "(").replaceAll("]", ")")).map((text) => {
    const parts = /^(.*):\s*\(([^,]*),([^)]*)\)$/su.exec(text);
    if (parts === null) throw new TypesenseError("Facet range value is not valid.");
    const [, label = "", from = "", to = ""] = parts.map((part) => part.trim());
    return {
      label,
      from: from === "" ? -Infinity : Number(from),
      to: to === "" ? Infinity : Number(to),
    };
  });
}
