import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import { runSearch } from "../search/run-search.ts";
import type { RawParameters } from "../search/search-parameters.ts";
import type { Store } from "../store.ts";
import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { Route } from "./route.ts";

/** A longer query string is refused, in characters. */
const queryLengthMax = 4000;
/** Searches in one request, unless the URL's `limit_multi_searches` says otherwise. */
const searchesMax = 50;

/** Searches. */
export const searchRoutes: readonly Route[] = [
  {
    target: "GET /collections/:collection/documents/search",
    handle: ({ collection, request }) => {
      if (request.queryLength > queryLengthMax) {
        throw new TypesenseError(
          `Query string exceeds max allowed length of ${queryLengthMax}. Use the /multi_search end-point for larger payloads.`,
        );
      }
      return runSearch(collection(), request.query);
    },
  },
  {
    target: "POST /multi_search",
    handle: ({ store, request }) => multiSearch(store, bodyObject(request), request.query),
  },
];

/**
 * Answers several searches in the order of the request; one that fails has its error in its place.
 *
 * @param common parameters of the URL, which hold for every search that does not set its own.
 * @throws TypesenseError 400 for the request as a whole.
 */
function multiSearch(store: Store, body: JsonObject, common: RawParameters): JsonObject {
  const searches = body["searches"];
  if (!Array.isArray(searches)) throw new TypesenseError("Missing `searches` array.");
  if (searches.length > limitOf(common)) {
    throw new TypesenseError("Number of multi searches exceeds `limit_multi_searches` parameter.");
  }
  if (body["union"] === true) {
    throw new TypesenseError("`union` is left out of this double of the server.");
  }
  return { results: searches.map((search: unknown) => searchOne(store, search, common)) };
}

/** What is no number is ignored. */
function limitOf(common: RawParameters): number {
  const given = common.get("limit_multi_searches") ?? "";
  return /^\d+$/u.test(given) ? Number(given) : searchesMax;
}

function searchOne(store: Store, search: unknown, common: RawParameters): JsonObject {
  try {
    if (!isJsonObject(search)) throw new TypesenseError("Bad JSON.");
    const parameters = new Map(common);
    for (const [name, value] of Object.entries(search)) {
      parameters.set(name, parameterText(value));
    }
    return runSearch(store.collection(parameters.get("collection") ?? ""), parameters);
  } catch (error) {
    if (!(error instanceof TypesenseError)) throw error;
    return { code: error.status, error: error.message };
  }
}

function parameterText(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}
