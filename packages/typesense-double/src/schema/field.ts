import type { JsonObject } from "../json.ts";

/** What a vector is made from, and with which model. */
export interface Embed {
  from: string[];
  model_config: JsonObject;
}

/** How vectors are compared: by their angle, or by 1 less their inner product. */
export type VectorDistance = "cosine" | "ip";

/** A field of a schema, in the very shape in which the API takes and answers it. */
export interface Field {
  name: string;
  type: string;
  facet: boolean;
  index: boolean;
  infix: boolean;
  locale: string;
  optional: boolean;
  sort: boolean;
  stem: boolean;
  stem_dictionary: string;
  store: boolean;
  /** Only on vectors: how many numbers, and by which distance they are compared. */
  num_dim?: number;
  vec_dist?: VectorDistance;
  /** Only on vectors that the server makes. */
  embed?: Embed;
  /** Only where the field overrides the collection's. */
  symbols_to_index?: string[];
  token_separators?: string[];
}

const baseTypes = ["string", "int32", "int64", "float", "bool"];

/** Types that a field can be declared with; geo, objects and images are left out of the double. */
export const fieldTypes: ReadonlySet<string> = new Set([
  ...baseTypes,
  ...baseTypes.map((type) => `${type}[]`),
  "string*",
  "auto",
]);

/** The type without its `[]`. */
export function elementType(field: Field): string {
  return field.type.endsWith("[]") ? field.type.slice(0, -2) : field.type;
}

export function isArray(field: Field): boolean {
  return field.type.endsWith("[]");
}

export function isString(field: Field): boolean {
  return elementType(field) === "string";
}

export function isNumber(field: Field): boolean {
  return ["int32", "int64", "float"].includes(elementType(field));
}

export function isVector(field: Field): boolean {
  return field.num_dim !== undefined;
}

/** Whether the server makes the vector. */
export function isAutoEmbedding(field: Field): field is Field & { embed: Embed } {
  return field.embed !== undefined;
}

/** Whether the name or type stands for fields that appear when a document brings them. */
export function isDynamic(field: Pick<Field, "name" | "type">): boolean {
  return field.name.includes(".*") || field.type === "auto" || field.type === "string*";
}

/** Whether `sort_by` may name the field. */
export function isSortable(field: Field): boolean {
  return field.sort && field.index && !isDynamic(field);
}
