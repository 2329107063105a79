import { runForSpan } from "@storefront/process";
import type { OriginResponse, ResponseHeaders } from "../cache/make-response.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { bytesOf } from "../http/content-coding.ts";
import type { CorsPolicy } from "../http/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import { checkHeaders } from "../http/headers.ts";
import type { HandleExchange } from "../http/http-server.ts";
import type { MatchRoute } from "../http/route-table.ts";
import { sendEvents, sendFile } from "../http/send-stream.ts";
import { sendAllowedMethods, sendError, sendResponse } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import type { Target } from "../http/target.ts";
import type { RateLimiter } from "../protection/rate-limiter.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { Endpoint, EndpointRequest } from "./endpoint.ts";
import { deprecationHeadersOf } from "./response-headers.ts";

export interface RestDependencies {
  matchRoute: MatchRoute<Endpoint>;
  headersOf: (operation: string) => ResponseHeaders;
  cors: CorsPolicy;
  /** Of every response: names and values in turn. */
  securityHeaders: readonly string[];
  /** Undefined admits every request. */
  limiter: RateLimiter | undefined;
  /** Undefined stores no responses. */
  responses: ResponseCache | undefined;
  createContext: (exchange: Exchange) => RequestContext;
  /** How long the client of a stream or a file may read nothing, in milliseconds. */
  stallTimeoutMs: number;
  /** Responds to a tRPC query that is not joined with others; false for other requests. Never rejects. */
  respondToQuery: (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
  ) => Promise<boolean>;
  /** Responds to requests without a route, with these headers among its own. */
  fallback: (exchange: Exchange, target: Target, headers: readonly string[]) => void;
}

const allMethods = "GET, HEAD, POST, OPTIONS";

/** The REST surface over plain node:http: paths, methods, preflights, caching headers, errors. */
export function createRestHandler(dependencies: RestDependencies): HandleExchange {
  const { matchRoute, headersOf, cors, securityHeaders, limiter, responses } = dependencies;
  const { createContext, stallTimeoutMs, respondToQuery, fallback } = dependencies;
  const varying = cors.variesByOrigin ? ["Vary", "Origin"] : [];

  async function respond(
    exchange: Exchange,
    endpoint: Endpoint,
    request: EndpointRequest,
    headers: string[],
  ): Promise<void> {
    const { stored, unstored } = headersOf(endpoint.operation);
    const sendWhole = async ({ status, body, ctx }: OriginResponse) => {
      headers.push(...unstored(status, ctx));
      const { contentType, listed } = endpoint;
      await sendResponse(exchange, { status, body, contentType, listed, headers });
    };
    const asked = await endpoint.ask(request);
    if (responses !== undefined && "key" in asked) {
      await responses.respond(exchange, headers, {
        question: asked,
        endpointHeaders: stored,
        send: sendWhole,
      });
      return;
    }
    const ctx = createContext(exchange);
    const response = await asked.respond(ctx);
    if ("chunks" in response) {
      headers.push(...unstored(200, ctx));
      // Its trace would collect spans for as long as the client listens.
      await runForSpan(undefined, () => sendEvents(exchange, response, headers, stallTimeoutMs));
    } else if ("read" in response) {
      await sendFile(exchange, response, [...headers, ...varying], stallTimeoutMs);
    } else {
      await sendWhole({ status: response.status, body: bytesOf(response.body), ctx });
    }
  }

  return async (exchange) => {
    const { request, requestId, clientAddress } = exchange;
    const corsHeaders = cors.headersFor(request.headers.origin);
    const headers = ["X-Request-Id", requestId, ...securityHeaders, ...corsHeaders];
    try {
      checkHeaders(request);
      if (limiter !== undefined) await limiter.admit(exchange, headers);
      if (responses?.sendIfFresh(exchange, headers) === true) return;
      const target = parseTarget(request.url ?? "/");
      const match = matchRoute(target.segments);
      if (match === undefined) {
        if (await respondToQuery(exchange, target, headers)) return;
        headers.push(...varying);
        if (request.method === "OPTIONS" && request.url === "*") {
          sendAllowedMethods(exchange, allMethods, headers);
        } else {
          fallback(exchange, target, headers);
        }
        return;
      }
      const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
      const endpoint = match.route.endpoints.get(method);
      if (endpoint === undefined) {
        sendAllowedMethods(exchange, match.route.allow, [...headers, ...varying]);
        return;
      }
      exchange.operation = endpoint.operation;
      exchange.route = endpoint.path;
      // A copy, because an error must not have headers of a success.
      const successHeaders = [...headers];
      headers.push(...deprecationHeadersOf(endpoint));
      const { pathValues } = match;
      const { query } = target;
      const endpointRequest = { pathValues, query, message: request, clientAddress };
      await respond(exchange, endpoint, endpointRequest, successHeaders);
    } catch (error) {
      sendError(exchange, error, headers);
    }
  };
}
