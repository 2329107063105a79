import { parseLine } from "../documents/import-documents.ts";
import { readDirtyValues } from "../documents/validate-document.ts";
import { notADocument, writeDocument } from "../documents/write-document.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { splitList } from "../search/search-parameters.ts";
import { pruneDocument } from "../search/prune-document.ts";
import { TypesenseError } from "../typesense-error.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Route, RouteContext } from "./route.ts";
import { readAction } from "./write-parameters.ts";

/** `/collections/{name}/documents`, one document at a time. */
export const documentRoutes: readonly Route[] = [
  {
    method: "POST",
    path: "/collections/:collection/documents",
    handle: ({ store, request, part }) => {
      const collection = store.collection(part("collection"));
      const dirty = readDirtyValues(collection.schema, request.query.get("dirty_values"));
      const sent = parseLine(request.body);
      const stored = writeDocument(collection, sent, readAction(request), dirty);
      return { status: 201, body: stored.document };
    },
  },
  {
    method: "GET",
    path: "/collections/:collection/documents/:id",
    handle: ({ store, request, part }) => {
      const { document } = store.collection(part("collection")).get(part("id"));
      return { status: 200, body: pruned(document, request) };
    },
  },
  {
    method: "PATCH",
    path: "/collections/:collection/documents/:id",
    handle: ({ store, request, part }) => {
      const collection = store.collection(part("collection"));
      const dirty = readDirtyValues(collection.schema, request.query.get("dirty_values"));
      const sent = withId(parseLine(request.body), part("id"));
      const stored = writeDocument(collection, sent, "update", dirty);
      return { status: 200, body: stored.document };
    },
  },
  { method: "DELETE", path: "/collections/:collection/documents/:id", handle: deleteDocument },
];

/**
 * A document with the id that its path names.
 *
 * @throws TypesenseError 400 when it is none, or names another id.
 */
function withId(sent: unknown, id: string): JsonObject {
  if (!isJsonObject(sent)) throw notADocument();
  if (sent["id"] === undefined || sent["id"] === id) return { ...sent, id };
  throw new TypesenseError(
    400,
    "The `id` of the resource does not match the `id` in the JSON body.",
  );
}

function deleteDocument({ store, request, part }: RouteContext) {
  const collection = store.collection(part("collection"));
  const id = part("id");
  try {
    const { document } = collection.get(id);
    collection.delete(id);
    return { status: 200, body: document };
  } catch (error) {
    const ignores = request.query.get("ignore_not_found") === "true";
    if (!ignores || !(error instanceof TypesenseError)) throw error;
    return { status: 200, body: { id } };
  }
}

function pruned(document: Record<string, unknown>, request: ApiRequest) {
  const names = (name: string) => splitList(request.query.get(name) ?? "");
  return pruneDocument(document, names("include_fields"), names("exclude_fields"));
}
