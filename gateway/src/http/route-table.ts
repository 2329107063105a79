export interface RouteEndpoint {
  /** GET also serves HEAD. */
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With path parameters in braces. */
  readonly path: string;
}

/** A path and its endpoints by method. */
export interface Route<Endpoint> {
  endpoints: ReadonlyMap<string, Endpoint>;
  /** Value of the `Allow` header. */
  allow: string;
}

/** Finds the route of a path by its decoded segments, and the values of its parameters. */
export type MatchRoute<Endpoint> = (
  segments: readonly string[],
) => { route: Route<Endpoint>; pathValues: string[] } | undefined;

const isParameter = (segment: string) => segment.startsWith("{");

/** Creates the matcher of a set of endpoints. Literal segments come before parameters. */
export function createRouteTable<Endpoint extends RouteEndpoint>(
  endpoints: readonly Endpoint[],
): MatchRoute<Endpoint> {
  const routes = [...Map.groupBy(endpoints, ({ path }) => path)]
    .map(([path, group]) => ({ path, pattern: path.slice(1).split("/"), route: routeOf(group) }))
    // A brace sorts after the characters of literal segments.
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const byLength = Map.groupBy(routes, ({ pattern }) => pattern.length);
  return (segments) => {
    const match = byLength.get(segments.length)?.find(({ pattern }) =>
      pattern.every((part, index) => {
        return isParameter(part) ? segments[index] !== "" : segments[index] === part;
      }),
    );
    if (match === undefined) return undefined;
    const { pattern, route } = match;
    return { route, pathValues: segments.filter((_, index) => isParameter(pattern[index] ?? "")) };
  };
}

function routeOf<Endpoint extends RouteEndpoint>(endpoints: readonly Endpoint[]): Route<Endpoint> {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  return {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
    allow: [...methods, "OPTIONS"].join(", "),
  };
}
