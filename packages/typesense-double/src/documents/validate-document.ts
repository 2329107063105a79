import type { JsonObject } from "../json.ts";
import { isAutoEmbedding, isDynamic, isVector } from "../schema/field.ts";
import type { Field } from "../schema/field.ts";
import { inferFields } from "../schema/infer-fields.ts";
import type { Schema } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { coerceValue } from "./coerce-value.ts";
import type { DirtyValues } from "./coerce-value.ts";

/**
 * Fits a document to the schema: values are changed or dropped in place as `dirty` allows.
 *
 * @returns the fields that the document brings into being, to be added once it is stored.
 * @throws TypesenseError 400 in the server's words.
 */
export function validateDocument(
  schema: Schema,
  document: JsonObject,
  dirty: DirtyValues,
): Field[] {
  const sorting = schema.defaultSortingField;
  if (sorting !== "" && (document[sorting] ?? null) === null) {
    throw new TypesenseError(
      `Field \`${sorting}\` has been declared as a default sorting field, but is not found in the document.`,
    );
  }
  const found = inferFields(schema, document, dirty);
  for (const field of [...schema.fields, ...found]) {
    if (!isDynamic(field) && field.index) checkField(field, document, dirty);
  }
  return found;
}

function checkField(field: Field, document: JsonObject, dirty: DirtyValues): void {
  const value = document[field.name];
  // The server makes what is missing.
  if ((value ?? null) === null && (field.optional || isAutoEmbedding(field))) return;
  if (value === undefined || (value === null && !isVector(field))) {
    throw new TypesenseError(
      `Field \`${field.name}\` has been declared in the schema, but is not found in the document.`,
    );
  }
  const coerced = coerceValue(field, value, dirty);
  if (coerced === undefined) delete document[field.name];
  else document[field.name] = coerced;
}
