import type { Collection } from "../documents/collection.ts";
import type { Faults } from "../faults/faults.ts";
import type { JsonObject } from "../json.ts";
import type { Store } from "../store.ts";
import type { ApiRequest } from "./api-request.ts";

/** What a handler works with. */
export interface RouteContext {
  store: Store;
  faults: Faults;
  request: ApiRequest;
  /** The named part of the path; empty when the route has no such part. */
  part: (name: string) => string;
  /**
   * The collection that the path names.
   *
   * @throws TypesenseError 404 when there is none.
   */
  collection: () => Collection;
}

/** A method and path of the API and what answers it. */
export interface Route {
  /** As in `GET /aliases/:alias`: `:name` stands for one part of the path. */
  target: string;
  /** Whether it answers without a key. */
  isOpen?: boolean;
  /** Status of what is answered; default 200. */
  status?: number;
  /** Gives what is answered: JSON, unless it is a text already. */
  handle: (context: RouteContext) => JsonObject | readonly JsonObject[] | string;
}

/** The parts that a route names in a path; undefined when it is another path. */
export function matchRoute({ target }: Route, { method, path }: ApiRequest) {
  const wanted = target.split("/");
  const given = `${method} ${path}`.split("/");
  if (wanted.length !== given.length) return undefined;
  const parts = new Map<string, string>();
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) parts.set(part.slice(1), decodeURIComponent(value));
    else if (part !== value) return undefined;
  }
  return parts;
}
