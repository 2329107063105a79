import type { Faults } from "../faults/faults.ts";
import type { Store } from "../store.ts";
import { TypesenseError } from "../typesense-error.ts";
import { aliasRoutes } from "./alias-routes.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { collectionRoutes } from "./collection-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import { matchRoute } from "./route.ts";
import { searchRoutes } from "./search-routes.ts";
import { serverRoutes } from "./server-routes.ts";

/** The first that fits answers: `documents/search` comes before `documents/:id`. */
const routes = [
  ...serverRoutes,
  ...searchRoutes,
  ...bulkRoutes,
  ...collectionRoutes,
  ...documentRoutes,
  ...aliasRoutes,
];

/** What the server is made of. */
export interface ServerParts {
  store: Store;
  faults: Faults;
  apiKey: string;
}

/** Answers a request; errors become `{"message"}` with their status. */
export function answerRequest(parts: ServerParts, request: ApiRequest): ApiAnswer {
  try {
    for (const route of routes) {
      const found = matchRoute(route, request.method, request.path);
      if (found === undefined) continue;
      if (route.isOpen !== true && request.apiKey !== parts.apiKey) throw forbidden();
      const { store, faults } = parts;
      return route.handle({ store, faults, request, part: (name) => found.get(name) ?? "" });
    }
    throw request.apiKey === parts.apiKey ? new TypesenseError(404, "Not Found") : forbidden();
  } catch (error) {
    if (!(error instanceof TypesenseError)) throw error;
    return { status: error.status, body: { message: error.message } };
  }
}

function forbidden(): TypesenseError {
  return new TypesenseError(401, "Forbidden - a valid `x-typesense-api-key` header must be sent.");
}
