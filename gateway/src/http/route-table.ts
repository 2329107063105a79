import type { Endpoint } from "../rest/endpoint.ts";

/** A path and its endpoints by method. */
export interface Route {
  endpoints: ReadonlyMap<string, Endpoint>;
  /** Value of the `Allow` header. */
  allow: string;
}

/** A route and the values of its path parameters. */
export interface RouteMatch {
  route: Route;
  pathValues: string[];
}

interface Node {
  literal: Map<string, Node>;
  parameter: Node | undefined;
  route: Route | undefined;
}

/** Finds routes by the decoded segments of a path. */
export type MatchRoute = (segments: readonly string[]) => RouteMatch | undefined;

/** Makes the matcher of a set of endpoints. Literal segments come before parameters. */
export function createRouteTable(endpoints: readonly Endpoint[]): MatchRoute {
  const root = emptyNode();
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => endpoint.path)) {
    nodeOf(root, path).route = routeOf(group);
  }
  return (segments) => find(root, segments, 0, []);
}

function find(
  node: Node,
  segments: readonly string[],
  index: number,
  pathValues: string[],
): RouteMatch | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.route && { route: node.route, pathValues };
  const literal = node.literal.get(segment);
  const found = literal && find(literal, segments, index + 1, pathValues);
  if (found !== undefined || node.parameter === undefined || segment === "") return found;
  return find(node.parameter, segments, index + 1, [...pathValues, segment]);
}

function nodeOf(root: Node, path: string): Node {
  return path
    .slice(1)
    .split("/")
    .reduce((node, segment) => {
      if (segment.startsWith("{")) return (node.parameter ??= emptyNode());
      const next = node.literal.get(segment) ?? emptyNode();
      node.literal.set(segment, next);
      return next;
    }, root);
}

function routeOf(endpoints: readonly Endpoint[]): Route {
  const methods = endpoints.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : method));
  return {
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.method, endpoint])),
    allow: [...methods, "OPTIONS"].join(", "),
  };
}

function emptyNode(): Node {
  return { literal: new Map(), parameter: undefined, route: undefined };
}
