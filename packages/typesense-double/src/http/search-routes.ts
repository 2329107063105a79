import { multiSearch } from "../search/multi-search.ts";
import { runSearch } from "../search/run-search.ts";
import { TypesenseError } from "../typesense-error.ts";
import { bodyObject } from "./api-request.ts";
import type { Route } from "./route.ts";

/** A longer query string is refused, in characters. */
const queryLengthMax = 4000;

/** Searches. */
export const searchRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/collections/:collection/documents/search",
    handle: ({ store, request, part }) => {
      if (request.queryLength > queryLengthMax) {
        throw new TypesenseError(
          400,
          `Query string exceeds max allowed length of ${queryLengthMax}. Use the /multi_search end-point for larger payloads.`,
        );
      }
      const collection = store.collection(part("collection"));
      return { status: 200, body: runSearch(collection, request.query) };
    },
  },
  {
    method: "POST",
    path: "/multi_search",
    handle: ({ store, request }) => ({
      status: 200,
      body: multiSearch(store, bodyObject(request), request.query),
    }),
  },
];
