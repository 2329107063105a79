import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { isArray, isAutoEmbedding, isDynamic, isSortable, isString } from "./field.ts";
import type { Field } from "./field.ts";
import { parseField } from "./parse-field.ts";
import type { Schema } from "./schema.ts";

/**
 * The schema in the body of `POST /collections`.
 *
 * @throws TypesenseError 400 in the server's words.
 */
export function parseSchema(body: JsonObject): Schema {
  const list = body["fields"];
  if (!Array.isArray(list)) throw new TypesenseError("Parameter `fields` is required.");
  const fields = list.map(parseField).filter((field) => field.name !== "id");
  if (new Set(fields.map((field) => field.name)).size < fields.length) {
    throw new TypesenseError("There are duplicate field names in the schema.");
  }
  checkEmbedding(fields);
  const sorting = body["default_sorting_field"];
  const schema: Schema = {
    fields,
    defaultSortingField: typeof sorting === "string" ? sorting : "",
    symbolsToIndex: symbols(body["symbols_to_index"]),
    tokenSeparators: symbols(body["token_separators"]),
    enableNestedFields: body["enable_nested_fields"] === true,
    metadata: body["metadata"],
  };
  if (schema.defaultSortingField !== "") checkDefaultSorting(schema.defaultSortingField, fields);
  return schema;
}

function checkEmbedding(fields: readonly Field[]): void {
  for (const name of fields.filter(isAutoEmbedding).flatMap(({ embed }) => embed.from)) {
    const source = fields.find((candidate) => candidate.name === name);
    if (source !== undefined && isString(source)) continue;
    throw new TypesenseError(
      "Property `embed.from` can only refer to string, string array or image (for supported models) fields.",
    );
  }
}

function checkDefaultSorting(name: string, fields: readonly Field[]): void {
  const field = fields.find((candidate) => candidate.name === name);
  if (field === undefined) {
    throw new TypesenseError(
      `Default sorting field is defined as \`${name}\` but is not found in the schema.`,
    );
  }
  if (!isSortable(field) || isArray(field) || isDynamic(field)) {
    throw new TypesenseError(`Default sorting field \`${name}\` is not a sortable type.`);
  }
  if (field.optional) {
    throw new TypesenseError(`Default sorting field \`${name}\` cannot be an optional field.`);
  }
}

function symbols(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
