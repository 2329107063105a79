import type { Collection, StoredDocument } from "../documents/collection.ts";
import { fieldNumbers, fieldValues } from "../filter/field-values.ts";
import type { JsonObject } from "../json.ts";
import { elementType, isNumber } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { facetQueryTest } from "./facet-query.ts";
import type { Facet } from "./parse-facets.ts";
import type { SearchParameters } from "./search-parameters.ts";

/**
 * `facet_counts` over everything that was found. A document, or a group, counts once for a value,
 * however often it holds it.
 *
 * @param units what is counted: each document by itself, or the documents of each group.
 */
export function countFacets(
  collection: Collection,
  facets: readonly Facet[],
  units: readonly (readonly StoredDocument[])[],
  parameters: SearchParameters,
): JsonObject[] {
  return facets.map((facet) => {
    const passes = facetQueryTest(collection, facet, units.flat(), parameters);
    const counts = new Map<string, number>();
    for (const unit of units) {
      for (const value of new Set(unit.flatMap((stored) => facetTexts(stored, facet)))) {
        if (passes(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
      }
    }
    const listed = [...counts]
      .map(([value, count]) => ({ count, highlighted: value, value }))
      .toSorted((a, b) => compareCounts(facet, a, b))
      .slice(0, parameters.maxFacetValues);
    const numbers = isNumber(facet.field)
      ? units.flat().flatMap((stored) => fieldNumbers(stored, facet.field))
      : [];
    return {
      counts: listed,
      field_name: facet.field.name,
      sampled: false,
      stats: { ...numberStats(numbers), total_values: counts.size },
    };
  });
}

/** The values of a document as facets name them. */
function facetTexts(stored: StoredDocument, facet: Facet): string[] {
  if (facet.ranges.length > 0) {
    const numbers = fieldNumbers(stored, facet.field);
    return facet.ranges
      .filter(({ from, to }) => numbers.some((held) => held >= from && held < to))
      .map(({ label }) => label);
  }
  return fieldValues(stored, facet.field).map((value) => valueText(facet.field, value));
}

/** Floats have six significant digits, as the server prints them. */
function valueText(field: Field, value: unknown): string {
  if (elementType(field) !== "float" || typeof value !== "number") return String(value);
  const text = String(Number(Math.fround(value).toPrecision(6)));
  return text === "-0" ? "0" : text;
}

interface ValueCount {
  value: string;
  count: number;
}

/** Count descending, then the shorter value, then the value descending by bytes. */
function compareCounts(facet: Facet, a: ValueCount, b: ValueCount): number {
  const left = Buffer.from(a.value);
  const right = Buffer.from(b.value);
  if (facet.alphabetical !== undefined) {
    return Buffer.compare(left, right) * (facet.alphabetical === "asc" ? 1 : -1);
  }
  return b.count - a.count || left.length - right.length || Buffer.compare(right, left);
}

function numberStats(numbers: readonly number[]): JsonObject {
  if (numbers.length === 0) return {};
  const sum = numbers.reduce((total, value) => total + value, 0);
  return {
    avg: sum / numbers.length,
    max: numbers.reduce((most, value) => Math.max(most, value)),
    min: numbers.reduce((least, value) => Math.min(least, value)),
    sum,
  };
}
