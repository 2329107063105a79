import type { Collection } from "../documents/collection.ts";
import { isAutoEmbedding, isVector } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { SearchParameters } from "./search-parameters.ts";

/** The vector that the server made of a query. */
export interface QueryEmbedding {
  field: Field;
  values: number[];
}

/**
 * Embeds the text of a search whose `query_by` names an auto-embedding field. What is left is a search by
 * vector, beside the text fields that are named too; without any of these all documents are searched.
 *
 * @throws TypesenseError 400 for a second vector field, or one that the server does not make.
 */
export function embedQuery(
  collection: Collection,
  parameters: SearchParameters,
): { parameters: SearchParameters; made: QueryEmbedding | undefined } {
  const { q, queryBy, vectorQuery } = parameters;
  const vectors = queryBy.flatMap((name) => {
    const field = findField(collection.schema, name);
    return field !== undefined && isVector(field) ? [field] : [];
  });
  const [field, second] = vectors;
  if (field === undefined) return { parameters, made: undefined };
  if (second !== undefined) throw onlyOneEmbedding();
  if (!field.index) throw notIndexed(field);
  const others = queryBy.filter((name) => name !== field.name);
  if (q === "*") return { parameters: { ...parameters, queryBy: others }, made: undefined };
  if (!isAutoEmbedding(field)) {
    throw new TypesenseError(
      `Vector field \`${field.name}\` is not an auto-embedding field, do not use \`query_by\` with it, use \`vector_query\` instead.`,
    );
  }
  const made = { field, values: collection.model.embed(q) };
  return {
    parameters: {
      ...parameters,
      q: others.length === 0 ? "*" : q,
      queryBy: others,
      vectorQuery: vectorQuery === "" ? `${field.name}:([])` : vectorQuery,
    },
    made,
  };
}

/** The error for a vector that is stored only. */
export function notIndexed({ name }: Field): TypesenseError {
  return new TypesenseError(`Field \`${name}\` is marked as a non-indexed field in the schema.`);
}

export function onlyOneEmbedding(): TypesenseError {
  return new TypesenseError("Only one embedding field is allowed in the query.");
}
