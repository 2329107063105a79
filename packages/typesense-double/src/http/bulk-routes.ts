import type { StoredDocument } from "../documents/collection.ts";
import { importDocuments } from "../documents/import-documents.ts";
import { writeDocument } from "../documents/write-document.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import { checkBatchSize, readAction, readDirtyValues, readPruning } from "./document-parameters.ts";
import type { Route, RouteContext } from "./route.ts";

/** `/collections/{name}/documents`, many documents at a time. */
export const bulkRoutes: readonly Route[] = [
  { target: "POST /collections/:collection/documents/import", handle: importLines },
  { target: "GET /collections/:collection/documents/export", handle: exportLines },
  { target: "DELETE /collections/:collection/documents", handle: deleteByFilter },
  { target: "PATCH /collections/:collection/documents", handle: updateByFilter },
];

/** 200 whatever the lines answer, except for what concerns the request as a whole. */
function importLines({ collection, faults, request }: RouteContext): string {
  const documents = collection();
  const action = readAction(request);
  checkBatchSize(request);
  return importDocuments(documents, request.body, {
    action,
    dirty: readDirtyValues(documents, request),
    returnId: request.query.get("return_id") === "true",
    returnDocument: request.query.get("return_doc") === "true",
    refuse: (document) => faults.refuseLine(document),
  });
}

function exportLines(context: RouteContext): string {
  const prune = readPruning(context.request);
  return filtered(context, context.request.query.get("filter_by") ?? "")
    .map(({ document }) => JSON.stringify(prune(document)))
    .join("\n");
}

function deleteByFilter(context: RouteContext): JsonObject {
  const { query } = context.request;
  const collection = context.collection();
  const filter = query.get("filter_by");
  if (filter === undefined && query.get("truncate") !== "true") {
    throw new TypesenseError("Parameter `filter_by` must be provided.");
  }
  const deleted = filtered(context, filter ?? "");
  for (const { id } of deleted) collection.delete(id);
  return {
    num_deleted: deleted.length,
    ...(query.get("return_doc") === "true" && {
      documents: deleted.map(({ document }) => document),
    }),
    ...(query.get("return_id") === "true" && { ids: deleted.map(({ id }) => id) }),
  };
}

function updateByFilter(context: RouteContext): JsonObject {
  const { request } = context;
  const collection = context.collection();
  const filter = request.query.get("filter_by");
  if (filter === undefined) {
    throw new TypesenseError("Parameter `filter_by` must be provided.");
  }
  const patch = bodyObject(request);
  const dirty = readDirtyValues(collection, request);
  const updated = filtered(context, filter.trim() === "*" ? "" : filter);
  for (const { id } of updated) writeDocument(collection, { ...patch, id }, "update", dirty);
  return { num_updated: updated.length };
}

function filtered({ collection, request }: RouteContext, filter: string): StoredDocument[] {
  const validates = request.query.get("validate_field_names") !== "false";
  return collection()
    .all()
    .filter(parseFilter(collection(), filter, validates));
}
