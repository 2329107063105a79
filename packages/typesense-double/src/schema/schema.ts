import type { JsonObject } from "../json.ts";
import type { Field } from "./field.ts";
import { isDynamic } from "./field.ts";

/** What a collection is declared as, plus the fields its documents have brought since. */
export interface Schema {
  /** In the order of their appearance: declared ones (patterns included), then found ones. */
  fields: Field[];
  /** Empty when there is none. */
  defaultSortingField: string;
  symbolsToIndex: string[];
  tokenSeparators: string[];
  enableNestedFields: boolean;
  metadata: unknown;
}

/** The field of this name that documents are indexed by; patterns are none. */
export function findField(schema: Schema, name: string): Field | undefined {
  return schema.fields.find((field) => field.name === name && !isDynamic(field));
}

/** The indexed fields of a schema, patterns left out. */
export function concreteFields(schema: Schema): Field[] {
  return schema.fields.filter((field) => !isDynamic(field));
}

/** The members of a document that are kept. */
export function storedPart(schema: Schema, values: JsonObject): JsonObject {
  const document = { ...values };
  for (const { name, store } of schema.fields) if (!store) delete document[name];
  return document;
}
