import { isDeepStrictEqual } from "node:util";
import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { isAutoEmbedding } from "../schema/field.ts";
import { storedPart } from "../schema/schema.ts";
import { TypesenseError } from "../typesense-error.ts";
import { texts } from "./collection.ts";
import type { Collection, StoredDocument } from "./collection.ts";
import type { DirtyValues } from "./coerce-value.ts";
import { validateDocument } from "./validate-document.ts";

/** What a write does about a document that is, or is not, there. */
export type WriteAction = "create" | "upsert" | "update" | "emplace";

/**
 * Writes one document. `create` refuses an existing id, `upsert` replaces it as a whole, `update`
 * merges into it, `emplace` merges or creates. A refused document leaves the old one in place.
 *
 * @throws TypesenseError 400, 404 or 409 in the server's words.
 */
export function writeDocument(
  collection: Collection,
  sent: unknown,
  action: WriteAction,
  dirty: DirtyValues,
): StoredDocument {
  if (!isJsonObject(sent)) throw notADocument();
  const id = readId(sent["id"], action);
  const existing = id === undefined ? undefined : collection.find(id);
  if (existing !== undefined && action === "create") {
    throw new TypesenseError(`A document with id ${id} already exists.`, 409);
  }
  if (existing === undefined && action === "update") {
    throw new TypesenseError(`Could not find a document with id: ${id}`, 404);
  }
  const before = action === "update" || action === "emplace" ? existing?.values : undefined;
  const seq = existing?.seq ?? collection.takeSeq();
  const written = { id: id ?? String(seq) };
  const values: JsonObject =
    before === undefined
      ? { ...structuredClone(sent), ...written }
      : { ...mergePatch(before, sent), ...written };
  const found = validateDocument(collection.schema, values, dirty);
  embedFields(collection, values, before);
  collection.schema.fields.push(...found);
  const stored = { seq, id: written.id, document: storedPart(collection.schema, values), values };
  collection.put(stored);
  return stored;
}

/**
 * Fills the auto-embedding fields of a document that is about to be stored. Those of an update stay as
 * they are unless a text that they are made from changes.
 *
 * @throws TypesenseError 400 when the model fails, or there is no text for a field that is not optional.
 */
function embedFields(
  { schema, model }: Collection,
  document: JsonObject,
  before: JsonObject | undefined,
): void {
  for (const field of schema.fields.filter(isAutoEmbedding)) {
    const { from } = field.embed;
    const isChanged = from.some((name) => !isDeepStrictEqual(document[name], before?.[name]));
    const isGiven = before === undefined && document[field.name] !== undefined;
    const text = from.flatMap((name) => texts(document[name])).join(" ");
    if (isChanged && !isGiven && text !== "") document[field.name] = model.embed(text);
    if (document[field.name] === undefined && !field.optional) {
      throw new TypesenseError(
        `No valid fields found to create embedding for \`${field.name}\`, please provide at least one valid field or make the embedding field optional.`,
      );
    }
  }
}

/** The error for JSON of another kind. */
export function notADocument(): TypesenseError {
  return new TypesenseError("Bad JSON: not a properly formed document.");
}

function readId(id: unknown, action: WriteAction): string | undefined {
  if (id === undefined) {
    if (action === "update") {
      throw new TypesenseError("For update, the `id` key must be provided.");
    }
    return undefined;
  }
  if (typeof id !== "string") {
    throw new TypesenseError("Document's `id` field should be a string.");
  }
  if (id === "") throw new TypesenseError("The `id` should not be empty.");
  return id;
}

/** RFC 7396: objects merge member by member, null takes a member away, anything else replaces. */
function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...target };
  for (const [name, value] of Object.entries(patch)) {
    const old = merged[name];
    if (value === null) delete merged[name];
    else if (isJsonObject(value)) merged[name] = mergePatch(isJsonObject(old) ? old : {}, value);
    else merged[name] = structuredClone(value);
  }
  return merged;
}
