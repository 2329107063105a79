/** One method of one path. */
export interface RouteEndpoint {
  /** HEAD is answered by GET. */
  readonly method: "GET" | "POST";
  /** With path parameters in braces. */
  readonly path: string;
}

/** A path and its endpoints by method. */
export interface Route<Endpoint> {
  endpoints: ReadonlyMap<string, Endpoint>;
  /** Value of the `Allow` header. */
  allow: string;
}

/** A route and the values of its path parameters. */
export interface RouteMatch<Endpoint> {
  route: Route<Endpoint>;
  pathValues: string[];
}

interface Node<Endpoint> {
  literal: Map<string, Node<Endpoint>>;
  parameter: Node<Endpoint> | undefined;
  route: Route<Endpoint> | undefined;
}

/** Finds routes by the decoded segments of a path. */
export type MatchRoute<Endpoint> = (
  segments: readonly string[],
) => RouteMatch<Endpoint> | undefined;

/** Makes the matcher of a set of endpoints. Literal segments come before parameters. */
export function createRouteTable<Endpoint extends RouteEndpoint>(
  endpoints: readonly Endpoint[],
): MatchRoute<Endpoint> {
  const root = emptyNode<Endpoint>();
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    nodeOf(root, path).route = routeOf(group);
  }
  return (segments) => find(root, segments, 0, []);
}

function find<Endpoint>(
  node: Node<Endpoint>,
  segments: readonly string[],
  index: number,
  pathValues: string[],
): RouteMatch<Endpoint> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.route && { route: node.route, pathValues };
  const literal = node.literal.get(segment);
  const found = literal && find(literal, segments, index + 1, pathValues);
  if (found !== undefined || node.parameter === undefined || segment === "") return found;
  return find(node.parameter, segments, index + 1, [...pathValues, segment]);
}

function nodeOf<Endpoint>(root: Node<Endpoint>, path: string): Node<Endpoint> {
  return path
    .slice(1)
    .split("/")
    .reduce((node, segment) => {
      if (segment.startsWith("{")) return (node.parameter ??= emptyNode());
      const next = node.literal.get(segment) ?? emptyNode<Endpoint>();
      node.literal.set(segment, next);
      return next;
    }, root);
}

function routeOf<Endpoint extends RouteEndpoint>(endpoints: readonly Endpoint[]): Route<Endpoint> {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  return {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
    allow: [...methods, "OPTIONS"].join(", "),
  };
}

function emptyNode<Endpoint>(): Node<Endpoint> {
  return { literal: new Map(), parameter: undefined, route: undefined };
}
