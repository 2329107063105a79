import type { Collection } from "../documents/collection.ts";
import { isString } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { concreteFields, findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { notIndexed } from "./query-embedding.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** A field of `query_by` with what is set for it. */
export interface SearchField {
  field: Field;
  /** The heavier the more; 15 is the heaviest. */
  weight: number;
  numTypos: number;
  prefix: boolean;
}

const weightMax = 15;
/** Locales whose words are never corrected. */
const withoutTypos: ReadonlySet<string> = new Set(["ja", "ko", "zh"]);

/**
 * The fields that a text query looks at, the heaviest first.
 *
 * @throws TypesenseError 400 or 404 in the server's words.
 */
export function readSearchFields(
  collection: Collection,
  parameters: SearchParameters,
): SearchField[] {
  const { queryBy, queryByWeights, numTypos, prefix } = parameters;
  if (parameters.q !== "*" && queryBy.length === 0) {
    throw new TypesenseError("No search fields specified for the query.");
  }
  if (queryBy.length === 0) return [];
  checkCount(queryByWeights, queryBy, "weights in `query_by_weights`", true);
  checkCount(numTypos, queryBy, "values in `num_typos`", false);
  checkCount(prefix, queryBy, "prefix values in `prefix`", false);
  const fields = queryBy.flatMap((name, index) =>
    namedFields(collection, name, parameters.validateFieldNames).map((field) => ({
      field,
      weight: queryByWeights[index] ?? 0,
      numTypos: withoutTypos.has(field.locale) ? 0 : (numTypos[index] ?? numTypos[0] ?? 0),
      prefix: prefix[index] ?? prefix[0] ?? false,
    })),
  );
  return weigh(fields, queryByWeights.length > 0);
}

function checkCount(values: readonly unknown[], names: string[], what: string, exact: boolean) {
  if (values.length === names.length || values.length === (exact ? 0 : 1)) return;
  throw new TypesenseError(`Number of ${what} does not match number of \`query_by\` fields.`);
}

function namedFields(collection: Collection, name: string, validate: boolean): Field[] {
  if (name === "id") throw new TypesenseError("Cannot use `id` as a query by field.");
  if (name.includes("*")) {
    const start = name.slice(0, name.indexOf("*"));
    const matching = concreteFields(collection.schema).filter(
      (field) => field.name.startsWith(start) && isString(field) && field.index,
    );
    if (matching.length > 0 || !validate) return matching;
    throw new TypesenseError(
      `No string or string array field found matching the pattern \`${name}\` in the schema.`,
      404,
    );
  }
  const field = findField(collection.schema, name);
  if (field === undefined) {
    if (!validate) return [];
    throw new TypesenseError(`Could not find a field named \`${name}\` in the schema.`, 404);
  }
  if (!isString(field)) {
    throw new TypesenseError(`Field \`${name}\` should be a string or a string array.`);
  }
  if (!field.index) throw notIndexed(field);
  return [field];
}

/** Without weights the earlier field is heavier; weights out of order or range become ranks. */
function weigh(fields: SearchField[], given: boolean): SearchField[] {
  if (!given) {
    return fields.map((field, index) => ({ ...field, weight: Math.max(0, weightMax - index) }));
  }
  const sorted = fields.toSorted((a, b) => b.weight - a.weight);
  const inOrder = fields.every((field, index) => field === sorted[index]);
  if (inOrder && fields.every((field) => field.weight <= weightMax)) return fields;
  const distinct = [...new Set(sorted.map((field) => field.weight))];
  return sorted.map((field) => ({
    ...field,
    weight: Math.max(0, weightMax - distinct.indexOf(field.weight)),
  }));
}
