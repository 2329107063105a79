import { parseLine } from "../documents/import-documents.ts";
import { notADocument, writeDocument } from "../documents/write-document.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { TypesenseError } from "../typesense-error.ts";
import { readAction, readDirtyValues, readPruning } from "./document-parameters.ts";
import type { Route, RouteContext } from "./route.ts";

/** `/collections/{name}/documents`, one document at a time. */
export const documentRoutes: readonly Route[] = [
  {
    target: "POST /collections/:collection/documents",
    status: 201,
    handle: ({ collection, request }) => {
      const dirty = readDirtyValues(collection(), request);
      const sent = parseLine(request.body);
      return writeDocument(collection(), sent, readAction(request), dirty).document;
    },
  },
  {
    target: "GET /collections/:collection/documents/:id",
    handle: ({ collection, request, part }) =>
      readPruning(request)(collection().get(part("id")).document),
  },
  {
    target: "PATCH /collections/:collection/documents/:id",
    handle: ({ collection, request, part }) => {
      const dirty = readDirtyValues(collection(), request);
      const sent = withId(parseLine(request.body), part("id"));
      return writeDocument(collection(), sent, "update", dirty).document;
    },
  },
  { target: "DELETE /collections/:collection/documents/:id", handle: deleteDocument },
];

/**
 * A document with the id that its path names.
 *
 * @throws TypesenseError 400 when it is none, or names another id.
 */
function withId(sent: unknown, id: string): JsonObject {
  if (!isJsonObject(sent)) throw notADocument();
  if (sent["id"] === undefined || sent["id"] === id) return { ...sent, id };
  throw new TypesenseError("The `id` of the resource does not match the `id` in the JSON body.");
}

function deleteDocument({ collection, request, part }: RouteContext): JsonObject {
  const documents = collection();
  const id = part("id");
  try {
    const { document } = documents.get(id);
    documents.delete(id);
    return document;
  } catch (error) {
    const ignores = request.query.get("ignore_not_found") === "true";
    if (!ignores || !(error instanceof TypesenseError)) throw error;
    return { id };
  }
}
