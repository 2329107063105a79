import type { Collection, StoredDocument } from "../documents/collection.ts";
import { isVector } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { findField } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { notIndexed, onlyOneEmbedding } from "./query-embedding.ts";
import type { QueryEmbedding } from "./query-embedding.ts";
import { splitList } from "./search-parameters.ts";

/** A parsed `vector_query`. */
export interface VectorQuery {
  field: Field;
  values: number[];
  /** The document whose neighbours are wanted, which is left out itself. */
  like: StoredDocument | undefined;
  /** 0 when not given. */
  k: number;
  /** Filters that leave fewer documents are searched in full: `k` does not cut them. */
  flatSearchCutoff: number;
  distanceThreshold: number;
  /** The vector's part in a hybrid score, 0 to 1. */
  alpha: number;
}

const malformed = "Malformed vector query string";

/**
 * Reads `field:([0.1, …], k: 10, …)`; undefined for an empty vector with neither id nor text, which
 * the server treats as no vector query.
 *
 * @param made the vector of an auto-embedding field that the server made of the text
 * @throws TypesenseError 400 in the server's words.
 */
export function parseVectorQuery(
  collection: Collection,
  text: string,
  made?: QueryEmbedding,
): VectorQuery | undefined {
  const colon = text.search(/[:([]/u);
  if (colon === -1) throw new TypesenseError(`${malformed}: \`:\` is missing.`);
  if (text[colon] !== ":") {
    throw new TypesenseError(`${malformed}: \`:\` is missing after the vector field name.`);
  }
  const name = text.slice(0, colon).trim();
  const parts = /^[^(]*\([^[]*\[([^\]]*)\](.*)$/su.exec(text.slice(colon + 1));
  if (parts === null) throw new TypesenseError(`${malformed}.`);
  const values = splitList(parts[1] ?? "").map(parseFloatValue);
  const options = readOptions(parts[2] ?? "");
  if (values.length === 0 && options.size === 0 && made === undefined) {
    throw new TypesenseError(
      "When a vector query value is empty, an `id` parameter must be present.",
    );
  }
  const id = options.get("id");
  if (id !== undefined && values.length > 0) {
    throw new TypesenseError(`${malformed}: cannot pass both vector query and \`id\` parameter.`);
  }
  const like = id === undefined ? undefined : referenced(collection, id, name);
  const field = vectorField(collection, name);
  if (made !== undefined && made.field.name !== name) throw onlyOneEmbedding();
  const given = like === undefined ? values : (like.document[name] as number[]);
  const vector = made?.values ?? given;
  if (vector.length === 0) return undefined;
  if (vector.length !== field.num_dim) {
    throw new TypesenseError(`Query field \`${name}\` must have ${field.num_dim} dimensions.`);
  }
  return {
    field,
    values: vector,
    like,
    k: wholeOption(options, "k"),
    flatSearchCutoff: wholeOption(options, "flat_search_cutoff"),
    distanceThreshold: thresholdOption(options, field),
    alpha: rangeOption(options, "alpha", 1) ?? 0.3,
  };
}

function parseFloatValue(text: string): number {
  const value = Number(text);
  if (!Number.isNaN(value)) return value;
  throw new TypesenseError(`${malformed}: one of the vector values is not a float.`);
}

/** What follows the vector: `, k: 10)`. A comma with nothing behind it is refused, between brackets it is not. */
function readOptions(text: string): Map<string, string> {
  const options = new Map<string, string>();
  if (text === ")") return options;
  for (const part of splitList(text)) {
    const [key, value, more] = part
      .replace(/\)$/u, "")
      .split(":")
      .map((side) => side.trim());
    if (key === undefined || value === undefined || value === "" || more !== undefined) {
      throw new TypesenseError(`${malformed}.`);
    }
    options.set(key, value);
  }
  return options;
}

function referenced(collection: Collection, id: string, name: string): StoredDocument {
  const stored = collection.find(id);
  if (stored === undefined) {
    throw new TypesenseError("Document id referenced in vector query is not found.");
  }
  const vector = stored.document[name];
  if (Array.isArray(vector) && vector.every((value) => typeof value === "number")) return stored;
  throw new TypesenseError(
    "Document referenced in vector query does not contain a valid vector field.",
  );
}

function vectorField(collection: Collection, name: string): Field {
  const field = findField(collection.schema, name);
  if (field === undefined || !isVector(field)) {
    throw new TypesenseError(`Field \`${name}\` does not have a vector query index.`);
  }
  if (!field.index) throw notIndexed(field);
  return field;
}

/** Distances by the inner product have no bounds. */
function thresholdOption(options: ReadonlyMap<string, string>, field: Field): number {
  const name = "distance_threshold";
  if (field.vec_dist === "cosine") return rangeOption(options, name, 2) ?? Infinity;
  const value = Number(options.get(name) ?? Infinity);
  if (!Number.isNaN(value)) return value;
  throw new TypesenseError(`${malformed}: \`${name}\` parameter must be a float.`);
}

function wholeOption(options: ReadonlyMap<string, string>, name: string): number {
  const value = options.get(name) ?? "0";
  if (/^\d+$/u.test(value)) return Number(value);
  throw new TypesenseError(`${malformed}: \`${name}\` parameter must be an integer.`);
}

function rangeOption(
  options: ReadonlyMap<string, string>,
  name: string,
  max: number,
): number | undefined {
  const text = options.get(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (value >= 0 && value <= max) return value;
  throw new TypesenseError(
    `${malformed}: \`${name}\` parameter must be a float between 0.0-${max}.0.`,
  );
}
