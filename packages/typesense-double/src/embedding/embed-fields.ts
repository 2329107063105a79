import { isDeepStrictEqual } from "node:util";
import { texts } from "../documents/collection.ts";
import type { JsonObject } from "../json.ts";
import { isAutoEmbedding } from "../schema/field.ts";
import type { Schema } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { TextModel } from "./text-model.ts";

/**
 * Fills the auto-embedding fields of a document that is about to be stored. Those of an update stay as
 * they are unless a text that they are made from changes.
 *
 * @throws TypesenseError 400 when the model fails, or there is no text for a field that is not optional.
 */
export function embedFields(
  schema: Schema,
  model: TextModel,
  document: JsonObject,
  before: JsonObject | undefined,
): void {
  for (const field of schema.fields.filter(isAutoEmbedding)) {
    const { from } = field.embed;
    const isChanged = from.some((name) => !isDeepStrictEqual(document[name], before?.[name]));
    const isGiven = before === undefined && document[field.name] !== undefined;
    const text = from.flatMap((name) => texts(document[name])).join(" ");
    if (isChanged && !isGiven && text !== "") document[field.name] = model.embed(text);
    if (document[field.name] === undefined && !field.optional) throw nothingToEmbed(field.name);
  }
}

function nothingToEmbed(name: string): TypesenseError {
  return new TypesenseError(
    400,
    `No valid fields found to create embedding for \`${name}\`, please provide at least one valid field or make the embedding field optional.`,
  );
}
