import type { Collection } from "../documents/collection.ts";
import { coerceValue, withArticle } from "../documents/coerce-value.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { isArray, elementType, isDynamic } from "./field.ts";
import type { Field } from "./field.ts";
import { inferFields } from "./infer-fields.ts";
import { parseField } from "./parse-field.ts";
import { storedPart } from "./schema.ts";
import type { Schema } from "./schema.ts";

/**
 * `PATCH /collections/{name}`: drops and adds fields, and re-reads the stored documents. Either all
 * of it happens or nothing.
 *
 * @throws TypesenseError 400 in the server's words.
 */
export function alterSchema(collection: Collection, body: JsonObject): void {
  if (Object.keys(body).length === 0) throw new TypesenseError("Alter payload is empty.");
  const alterable = ["fields", "metadata", "synonym_sets", "curation_sets"];
  if (Object.keys(body).some((key) => !alterable.includes(key))) {
    throw new TypesenseError(
      "Only `fields`, `metadata` and `synonym_sets` can be updated at the moment.",
    );
  }
  const schema: Schema = { ...collection.schema, fields: [...collection.schema.fields] };
  if ("metadata" in body) schema.metadata = body["metadata"];
  const changes: unknown = body["fields"] ?? [];
  if (!Array.isArray(changes)) {
    throw new TypesenseError("The `fields` value should be an array of objects.");
  }
  const added = dropsFirst(changes).flatMap((change) => applyChange(schema, change));
  const kept = collection.schema.fields.filter(
    (field) => !field.store && schema.fields.includes(field),
  );
  const rewritten = collection.all().map((stored) => {
    const values = structuredClone(stored.document);
    for (const field of added) if (!isDynamic(field)) fitStored(field, values);
    const found = inferFields(schema, values, "coerce_or_drop");
    schema.fields.push(...found);
    for (const field of found) fitStored(field, values);
    for (const { name } of kept) values[name] = stored.values[name];
    return { ...stored, values, document: storedPart(schema, values) };
  });
  collection.schema = schema;
  for (const stored of rewritten) collection.put(stored);
}

/** A field may be added and dropped in any order: it is dropped before. */
function dropsFirst(changes: readonly unknown[]): unknown[] {
  const drops = (change: unknown) => isJsonObject(change) && change["drop"] !== undefined;
  return [
    ...changes.filter((change) => drops(change)),
    ...changes.filter((change) => !drops(change)),
  ];
}

/** Applies one entry of `fields`; gives the field that it adds. */
function applyChange(schema: Schema, change: unknown): Field[] {
  if (!isJsonObject(change) || typeof change["name"] !== "string") return [parseField(change)];
  const name = change["name"];
  if (name === "id") throw new TypesenseError("Field `id` cannot be altered.");
  const known = schema.fields.some((field) => field.name === name);
  if (change["drop"] !== undefined) {
    if (change["drop"] !== true) {
      throw new TypesenseError(`Field \`${name}\` must have a drop value of \`true\`.`);
    }
    if (!known) {
      throw new TypesenseError(`Field \`${name}\` is not part of collection schema.`);
    }
    schema.fields = schema.fields.filter((field) => field.name !== name);
    if (schema.defaultSortingField === name) schema.defaultSortingField = "";
    return [];
  }
  if (known) {
    throw new TypesenseError(
      `Field \`${name}\` is already part of the schema: To change this field, drop it first before adding it back to the schema.`,
    );
  }
  const field = parseField(change);
  schema.fields.push(field);
  return [field];
}

function fitStored(field: Field, document: JsonObject): void {
  const value = document[field.name];
  if (!field.index) return;
  if ((value ?? null) === null) {
    if (field.optional) return;
    throw new TypesenseError(
      `Field \`${field.name}\` has been declared in the schema, but is not found in the documents already present in the collection. If you still want to add this field, set it as \`optional: true\`.`,
    );
  }
  try {
    document[field.name] = coerceValue(field, value, "coerce_or_reject");
  } catch (error) {
    if (!(error instanceof TypesenseError)) throw error;
    const expected = isArray(field) ? `an array of ${elementType(field)}` : withArticle(field.type);
    throw new TypesenseError(
      `Schema change is incompatible with the type of documents already stored in this collection. Existing data for field \`${field.name}\` cannot be coerced into ${expected}.`,
    );
  }
}
