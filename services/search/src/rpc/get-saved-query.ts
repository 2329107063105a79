import type { SavedQueryStore } from "../store/saved-query-store.ts";
import { findQuery } from "./find-query.ts";
import type { SearchHandlers } from "./handlers.ts";

export function getSavedQuery(deps: { queries: SavedQueryStore }): SearchHandlers["getSavedQuery"] {
  return async ({ queryId }) => {
    return { query: await findQuery(deps.queries, queryId) };
  };
}
