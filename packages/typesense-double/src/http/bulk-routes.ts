import type { StoredDocument } from "../documents/collection.ts";
import { importDocuments } from "../documents/import-documents.ts";
import { readDirtyValues } from "../documents/validate-document.ts";
import { writeDocument } from "../documents/write-document.ts";
import { parseFilter } from "../filter/parse-filter.ts";
import { pruneDocument } from "../search/prune-document.ts";
import { splitList } from "../search/search-parameters.ts";
import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { ApiAnswer } from "./api-request.ts";
import type { Route, RouteContext } from "./route.ts";
import { checkBatchSize, readAction } from "./write-parameters.ts";

/** `/collections/{name}/documents`, many documents at a time. */
export const bulkRoutes: readonly Route[] = [
  { method: "POST", path: "/collections/:collection/documents/import", handle: importLines },
  { method: "GET", path: "/collections/:collection/documents/export", handle: exportLines },
  { method: "DELETE", path: "/collections/:collection/documents", handle: deleteByFilter },
  { method: "PATCH", path: "/collections/:collection/documents", handle: updateByFilter },
];

/** 200 whatever the lines answer, except for what concerns the request as a whole. */
function importLines({ store, faults, request, part }: RouteContext): ApiAnswer {
  const collection = store.collection(part("collection"));
  const action = readAction(request);
  checkBatchSize(request);
  const body = importDocuments(collection, request.body, {
    action,
    dirty: readDirtyValues(collection.schema, request.query.get("dirty_values")),
    returnId: request.query.get("return_id") === "true",
    returnDocument: request.query.get("return_doc") === "true",
    refuse: (document) => faults.refuseLine(document),
  });
  return { status: 200, body };
}

function exportLines(context: RouteContext): ApiAnswer {
  const { query } = context.request;
  const names = (name: string) => splitList(query.get(name) ?? "");
  const documents = filtered(context, query.get("filter_by") ?? "").map(({ document }) =>
    pruneDocument(document, names("include_fields"), names("exclude_fields")),
  );
  return { status: 200, body: documents.map((document) => JSON.stringify(document)).join("\n") };
}

function deleteByFilter(context: RouteContext): ApiAnswer {
  const { store, request, part } = context;
  const collection = store.collection(part("collection"));
  const filter = request.query.get("filter_by");
  if (filter === undefined && request.query.get("truncate") !== "true") {
    throw new TypesenseError(400, "Parameter `filter_by` must be provided.");
  }
  const deleted = filtered(context, filter ?? "");
  for (const { id } of deleted) collection.delete(id);
  return {
    status: 200,
    body: {
      num_deleted: deleted.length,
      ...(request.query.get("return_doc") === "true" && {
        documents: deleted.map(({ document }) => document),
      }),
      ...(request.query.get("return_id") === "true" && { ids: deleted.map(({ id }) => id) }),
    },
  };
}

function updateByFilter(context: RouteContext): ApiAnswer {
  const { store, request, part } = context;
  const collection = store.collection(part("collection"));
  const filter = request.query.get("filter_by");
  if (filter === undefined) {
    throw new TypesenseError(400, "Parameter `filter_by` must be provided.");
  }
  const patch = bodyObject(request);
  const dirty = readDirtyValues(collection.schema, request.query.get("dirty_values"));
  const updated = filtered(context, filter.trim() === "*" ? "" : filter);
  for (const { id } of updated) writeDocument(collection, { ...patch, id }, "update", dirty);
  return { status: 200, body: { num_updated: updated.length } };
}

function filtered({ store, request, part }: RouteContext, filter: string): StoredDocument[] {
  const collection = store.collection(part("collection"));
  const validates = request.query.get("validate_field_names") !== "false";
  return collection.all().filter(parseFilter(collection, filter, validates));
}
