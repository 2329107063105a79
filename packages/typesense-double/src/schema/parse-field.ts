import { isJsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { modelDimensions } from "../documents/text-model.ts";
import { fieldTypes, isDynamic, isVector } from "./field.ts";
import type { Embed, Field, VectorDistance } from "./field.ts";

/**
 * One entry of a schema's `fields` with its defaults filled in.
 *
 * @throws TypesenseError 400 in the server's words.
 */
export function parseField(value: unknown): Field {
  if (
    !isJsonObject(value) ||
    typeof value["name"] !== "string" ||
    typeof value["type"] !== "string"
  ) {
    throw new TypesenseError(
      "Wrong format for `fields`. It should be an array of objects containing `name`, `type`, `optional` and `facet` properties.",
    );
  }
  const { name, type } = value;
  if (!fieldTypes.has(type)) {
    throw new TypesenseError(
      `Field \`${name}\` has an invalid data type \`${type}\`, see docs for supported data types.`,
    );
  }
  if (value["drop"] !== undefined) {
    throw new TypesenseError(
      `Invalid property \`drop\` on field \`${name}\`: it is allowed only during schema update.`,
    );
  }
  const flag = (property: string, otherwise: boolean): boolean => {
    const given = value[property];
    if (given === undefined) return otherwise;
    if (typeof given === "boolean") return given;
    throw new TypesenseError(
      `The \`${property}\` property of the field \`${name}\` should be a boolean.`,
    );
  };
  const dynamic = isDynamic({ name, type });
  const vector = value["num_dim"] !== undefined;
  const field: Field = {
    name,
    type,
    facet: flag("facet", false),
    index: flag("index", true),
    infix: flag("infix", false),
    locale: typeof value["locale"] === "string" ? value["locale"] : "",
    optional: flag("optional", dynamic),
    sort: flag("sort", ["int32", "int64", "float", "bool"].includes(type)),
    stem: flag("stem", false),
    stem_dictionary: "",
    store: flag("store", true),
  };
  if (dynamic && !field.optional) {
    throw new TypesenseError(`Field \`${name}\` must be an optional field.`);
  }
  for (const property of ["symbols_to_index", "token_separators"] as const) {
    const symbols = value[property];
    if (Array.isArray(symbols) && symbols.length > 0) field[property] = symbols.map(String);
  }
  if (value["embed"] !== undefined) {
    field.embed = parseEmbed(field, value["embed"]);
    addVector(field, modelDimensions);
  } else if (vector) addVector(field, value["num_dim"]);
  if (isVector(field)) field.vec_dist = parseDistance(value["vec_dist"] ?? "cosine");
  return field;
}

function addVector(field: Field, dimensions: unknown): void {
  if (typeof dimensions !== "number" || !Number.isInteger(dimensions) || dimensions <= 0) {
    throw new TypesenseError("Property `num_dim` must be a positive integer.");
  }
  if (field.type !== "float[]") {
    throw new TypesenseError("Property `num_dim` is only allowed on a float array field.");
  }
  if (field.facet) {
    throw new TypesenseError("Property `facet` is not allowed on a vector field.");
  }
  if (field.sort) {
    throw new TypesenseError("Property `sort` cannot be enabled on a vector field.");
  }
  field.num_dim = dimensions;
}

function parseDistance(distance: unknown): VectorDistance {
  if (typeof distance !== "string") {
    throw new TypesenseError("Property `vec_dist` must be a string.");
  }
  if (distance === "cosine" || distance === "ip") return distance;
  throw new TypesenseError("Property `vec_dist` is invalid.");
}

function parseEmbed(field: Field, embed: unknown): Embed {
  if (field.type !== "float[]") {
    throw new TypesenseError("Fields with the `embed` parameter can only be of type `float[]`.");
  }
  if (!isJsonObject(embed)) throw new TypesenseError("Property `embed` must be an object.");
  const { from, model_config: model } = embed;
  if (!Array.isArray(from) || from.length === 0) {
    throw new TypesenseError("Property `embed.from` must have at least one element.");
  }
  if (!isJsonObject(model) || typeof model["model_name"] !== "string") {
    throw new TypesenseError("Property `embed.model_config.model_name` must be a string.");
  }
  return { from: from.map(String), model_config: model };
}
