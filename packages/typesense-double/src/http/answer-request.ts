import type { Faults } from "../faults/faults.ts";
import type { Store } from "../store.ts";
import { TypesenseError } from "../typesense-error.ts";
import { aliasRoutes } from "./alias-routes.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { collectionRoutes } from "./collection-routes.ts";
import { documentRoutes } from "./document-routes.ts";
import { matchRoute } from "./route.ts";
import type { Route } from "./route.ts";
import { searchRoutes } from "./search-routes.ts";

/** The first that fits answers: `documents/search` comes before `documents/:id`. */
const routes: readonly Route[] = [
  { target: "GET /health", isOpen: true, handle: () => ({ ok: true }) },
  { target: "GET /debug", handle: () => ({ state: 1, version: "30.0" }) },
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
      const found = matchRoute(route, request);
      if (found === undefined) continue;
      if (route.isOpen !== true && request.apiKey !== parts.apiKey) throw forbidden();
      const { store, faults } = parts;
      const part = (name: string) => found.get(name) ?? "";
      const collection = () => store.collection(part("collection"));
      const body = route.handle({ store, faults, request, part, collection });
      return { status: route.status ?? 200, body };
    }
    throw request.apiKey === parts.apiKey ? new TypesenseError("Not Found", 404) : forbidden();
  } catch (error) {
    if (!(error instanceof TypesenseError)) throw error;
    return { status: error.status, body: { message: error.message } };
  }
}

function forbidden(): TypesenseError {
  return new TypesenseError("Forbidden - a valid `x-typesense-api-key` header must be sent.", 401);
}
