import { isJsonObject } from "../json.ts";
import type { JsonObject } from "../json.ts";
import type { Store } from "../store.ts";
import { TypesenseError } from "../typesense-error.ts";
import { runSearch } from "./run-search.ts";
import type { RawParameters } from "./search-parameters.ts";

/** Searches in one request, unless the URL's `limit_multi_searches` says otherwise. */
const searchesMax = 50;

/**
 * Answers several searches in the order of the request; one that fails has its error in its place.
 *
 * @param common parameters of the URL, which hold for every search that does not set its own.
 * @throws TypesenseError 400 for the request as a whole.
 */
export function multiSearch(store: Store, body: JsonObject, common: RawParameters): JsonObject {
  const searches = body["searches"];
  if (!Array.isArray(searches)) throw new TypesenseError(400, "Missing `searches` array.");
  if (searches.length > limitOf(common)) {
    throw new TypesenseError(
      400,
      "Number of multi searches exceeds `limit_multi_searches` parameter.",
    );
  }
  if (body["union"] === true) {
    throw new TypesenseError(400, "`union` is left out of this double of the server.");
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
    if (!isJsonObject(search)) throw new TypesenseError(400, "Bad JSON.");
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
