import { dirtyValues } from "../documents/coerce-value.ts";
import type { DirtyValues } from "../documents/coerce-value.ts";
import type { Collection } from "../documents/collection.ts";
import type { WriteAction } from "../documents/write-document.ts";
import type { JsonObject } from "../json.ts";
import { isDynamic } from "../schema/field.ts";
import { pruneDocument } from "../search/prune-document.ts";
import { splitList } from "../search/search-parameters.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { ApiRequest } from "./api-request.ts";

const actions: readonly WriteAction[] = ["create", "upsert", "update", "emplace"];

/**
 * The `action` of a write; `create` when it is not given.
 *
 * @throws TypesenseError 400 for another one.
 */
export function readAction(request: ApiRequest): WriteAction {
  const given = request.query.get("action") ?? "create";
  const action = actions.find((name) => name === given);
  if (action !== undefined) return action;
  throw new TypesenseError("Parameter `action` must be a create|update|upsert|emplace.");
}

/**
 * Checks `batch_size`, which has no other effect here.
 *
 * @throws TypesenseError 400 unless it is a whole number above 0.
 */
export function checkBatchSize(request: ApiRequest): void {
  const given = request.query.get("batch_size") ?? "40";
  if (/^\d+$/u.test(given) && Number(given) > 0) return;
  throw new TypesenseError("Parameter `batch_size` must be a positive integer.");
}

/**
 * What `dirty_values` asks for. Unset it is `reject`, or `coerce_or_reject` once the schema holds a
 * pattern.
 */
export function readDirtyValues({ schema }: Collection, request: ApiRequest): DirtyValues {
  const given = request.query.get("dirty_values")?.toLowerCase();
  return (
    dirtyValues.find((name) => name === given) ??
    (schema.fields.some(isDynamic) ? "coerce_or_reject" : "reject")
  );
}

/** Leaves of documents what `include_fields` and `exclude_fields` ask for. */
export function readPruning({ query }: ApiRequest): (document: JsonObject) => JsonObject {
  const include = splitList(query.get("include_fields") ?? "");
  const exclude = splitList(query.get("exclude_fields") ?? "");
  return (document) => pruneDocument(document, include, exclude);
}
