import type { Faults } from "../faults/faults.ts";
import type { Store } from "../store.ts";
import type { ApiAnswer, ApiRequest } from "./api-request.ts";

/** What a handler works with. */
export interface RouteContext {
  store: Store;
  faults: Faults;
  request: ApiRequest;
  /** The named part of the path; empty when the route has no such part. */
  part: (name: string) => string;
}

/** A method and path of the API and what answers it. */
export interface Route {
  method: string;
  /** `:name` stands for one part of the path. */
  path: string;
  /** Whether it answers without a key. */
  isOpen?: boolean;
  handle: (context: RouteContext) => ApiAnswer;
}

/** The parts that a route names in a path; undefined when it is another path. */
export function matchRoute(route: Route, method: string, path: string) {
  const wanted = route.path.split("/");
  const given = path.split("/");
  if (route.method !== method || wanted.length !== given.length) return undefined;
  const parts = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) parts.set(part.slice(1), decodeURIComponent(value));
    else if (part !== value) return undefined;
  }
  return parts;
}
