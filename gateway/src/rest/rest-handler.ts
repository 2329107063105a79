import type { IncomingMessage } from "node:http";
import type { RequestContext } from "../context.ts";
import { badRequest, methodNotAllowed } from "../errors/public-error.ts";
import { answerHeaders } from "./answer-headers.ts";
import { preflightHeaders } from "./cors.ts";
import type { CorsPolicy } from "./cors.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import type { MatchRoute, Route } from "./route-table.ts";
import { sendEvents } from "./send-events.ts";
import { sendAnswer, sendError } from "./send.ts";
import { parseTarget } from "./target.ts";

/** What the REST surface works with. */
export interface RestDependencies {
  matchRoute: MatchRoute;
  cors: CorsPolicy;
  createContext: (exchange: Exchange) => RequestContext;
  /** How long the client of a stream may take nothing, in milliseconds. */
  stallTimeoutMs: number;
  /** Answers what is no route of this surface, with these headers among its own. */
  fallback: (exchange: Exchange, headers: readonly string[]) => void;
}

/** Answers requests by the routes of the table; never rejects. */
export type RestHandler = (exchange: Exchange) => Promise<void>;

// What node:http would answer without a body.
function checkHeaders({ headers: { host, expect }, httpVersion }: IncomingMessage): void {
  if (host === undefined && httpVersion === "1.1") {
    throw badRequest("The Host header must be given.");
  }
  if (expect !== undefined && expect.toLowerCase() !== "100-continue") {
    throw badRequest("The Expect header must be 100-continue.");
  }
}

const allMethods = "GET, HEAD, POST, OPTIONS";

/** The REST surface over plain node:http: paths, methods, preflights, caching headers, errors. */
export function createRestHandler(dependencies: RestDependencies): RestHandler {
  const { matchRoute, cors, createContext, stallTimeoutMs, fallback } = dependencies;

  function commonHeaders({ request, requestId }: Exchange): string[] {
    const headers = ["X-Request-Id", requestId, "X-Content-Type-Options", "nosniff"];
    headers.push(...cors.headersFor(request.headers.origin));
    return headers;
  }

  function answerOptions(exchange: Exchange, route: Route | undefined, headers: string[]): void {
    const allow = route?.allow ?? allMethods;
    const { "access-control-request-headers": requested } = exchange.request.headers;
    const varying = cors.variesByOrigin ? ["Vary", "Origin"] : [];
    headers.push("Allow", allow, ...preflightHeaders(allow, requested), ...varying);
    exchange.response.writeHead(204, headers).end();
  }

  async function answerEndpoint(
    exchange: Exchange,
    endpoint: Endpoint,
    pathValues: string[],
    query: string,
    headers: string[],
  ): Promise<void> {
    const ctx = createContext(exchange);
    const message = exchange.request;
    const answer = await endpoint.answer({ pathValues, query, message }, ctx);
    headers.push(...answerHeaders(endpoint, answer.status, ctx, cors.variesByOrigin));
    if ("blocks" in answer) {
      await sendEvents(exchange, answer, headers, stallTimeoutMs);
      return;
    }
    const { status, body } = answer;
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    await sendAnswer(exchange, { status, body: bytes, headers });
  }

  return async (exchange) => {
    const { request } = exchange;
    const headers = commonHeaders(exchange);
    try {
      checkHeaders(request);
      const target = parseTarget(request.url ?? "/");
      const match = matchRoute(target.segments);
      if (request.method === "OPTIONS") {
        answerOptions(exchange, match?.route, headers);
        return;
      }
      if (match === undefined) {
        fallback(exchange, headers);
        return;
      }
      const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
      const endpoint = match.route.endpoints.get(method);
      if (endpoint === undefined) {
        headers.push("Allow", match.route.allow);
        throw methodNotAllowed(match.route.allow);
      }
      // A copy, because headers of a success must not stand on an error.
      await answerEndpoint(exchange, endpoint, match.pathValues, target.query, [...headers]);
    } catch (error) {
      sendError(exchange, error, headers);
    }
  };
}
