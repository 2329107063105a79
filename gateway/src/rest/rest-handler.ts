import { runForSpan } from "@storefront/telemetry";
import type { OriginResponse } from "../cache/make-response.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { bytesOf } from "../http/content-coding.ts";
import { checkHeaders } from "../http/headers.ts";
import type { CorsPolicy } from "../http/cors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HandleExchange } from "../http/http-server.ts";
import type { EndpointHeaders } from "../http/representations.ts";
import type { MatchRoute } from "../http/route-table.ts";
import { sendEvents, sendFile } from "../http/send-stream.ts";
import { sendAllowedMethods, sendError, sendResponse } from "../http/send.ts";
import { parseTarget } from "../http/target.ts";
import type { Target } from "../http/target.ts";
import type { RateLimiter } from "../protection/rate-limiter.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import { answerHeaders, keptHeaders } from "./answer-headers.ts";
import type { Endpoint } from "./endpoint.ts";

/** What the REST surface works with. */
export interface RestDependencies {
  matchRoute: MatchRoute<Endpoint>;
  cors: CorsPolicy;
  /** Headers of every answer: names and values in turn. */
  securityHeaders: readonly string[];
  /** Undefined admits every request. */
  limiter: RateLimiter | undefined;
  /** Undefined keeps no answers. */
  responses: ResponseCache | undefined;
  createContext: (exchange: Exchange) => RequestContext;
  /** How long the client of a stream or a file may take nothing, in milliseconds. */
  stallTimeoutMs: number;
  /** Answers a tRPC query that is not joined with others; false for what is none. Never rejects. */
  answerQuery: (exchange: Exchange, target: Target, headers: readonly string[]) => Promise<boolean>;
  /** Answers what is no route of this surface, with these headers among its own. */
  fallback: (exchange: Exchange, target: Target, headers: readonly string[]) => void;
}

const allMethods = "GET, HEAD, POST, OPTIONS";

/**
 * The REST surface over plain node:http: paths, methods, preflights, caching headers, errors. Requests
 * are answered by the routes of the table.
 */
export function createRestHandler(dependencies: RestDependencies): HandleExchange {
  const { matchRoute, cors, securityHeaders, limiter, responses } = dependencies;
  const { createContext, stallTimeoutMs, answerQuery, fallback } = dependencies;
  const keptHeadersOf = new Map<Endpoint, EndpointHeaders>();
  const varying = cors.variesByOrigin ? ["Vary", "Origin"] : [];

  function commonHeaders({ request, requestId }: Exchange): string[] {
    return [
      "X-Request-Id",
      requestId,
      ...securityHeaders,
      ...cors.headersFor(request.headers.origin),
    ];
  }

  async function answerEndpoint(
    exchange: Exchange,
    endpoint: Endpoint,
    pathValues: string[],
    query: string,
    headers: string[],
  ): Promise<void> {
    const message = exchange.request;
    const request = { pathValues, query, message };
    if (responses !== undefined && endpoint.question !== undefined) {
      await responses.answer(exchange, headers, {
        question: await endpoint.question(request),
        endpointHeaders: keptHeadersFor(endpoint),
        send: ({ status, body, ctx }, audience) => {
          const own = { ...ctx, countryFromCookie: audience === "private" };
          return sendWhole(exchange, endpoint, { status, body, ctx: own }, headers);
        },
      });
      return;
    }
    const run = await endpoint.ask(request);
    const ctx = createContext(exchange);
    const answer = await run(ctx);
    if ("chunks" in answer) {
      headers.push(...answerHeaders(endpoint, 200, ctx, cors.variesByOrigin));
      // Its trace would gather spans for as long as the client listens.
      await runForSpan(undefined, () => sendEvents(exchange, answer, headers, stallTimeoutMs));
      return;
    }
    if ("read" in answer) {
      if (cors.variesByOrigin) headers.push("Vary", "Origin");
      await sendFile(exchange, answer, headers, stallTimeoutMs);
      return;
    }
    const { status, body } = answer;
    await sendWhole(exchange, endpoint, { status, body: bytesOf(body), ctx }, headers);
  }

  async function sendWhole(
    exchange: Exchange,
    endpoint: Endpoint,
    { status, body, ctx }: OriginResponse,
    headers: string[],
  ): Promise<void> {
    headers.push(...answerHeaders(endpoint, status, ctx, cors.variesByOrigin));
    const { contentType } = endpoint;
    await sendResponse(exchange, { status, body, contentType, headers });
  }

  function keptHeadersFor(endpoint: Endpoint): EndpointHeaders {
    const known = keptHeadersOf.get(endpoint);
    if (known !== undefined) return known;
    const headers = keptHeaders(endpoint, cors.variesByOrigin);
    keptHeadersOf.set(endpoint, headers);
    return headers;
  }

  return async (exchange) => {
    const { request } = exchange;
    const headers = commonHeaders(exchange);
    try {
      checkHeaders(request);
      if (limiter !== undefined) await limiter.admit(exchange, headers);
      if (responses?.answerKnown(exchange, headers) === true) return;
      const target = parseTarget(request.url ?? "/");
      const match = matchRoute(target.segments);
      if (match === undefined) {
        if (await answerQuery(exchange, target, headers)) return;
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
      // A copy, because headers of a success must not stand on an error.
      const successHeaders = [...headers];
      if (endpoint.deprecationHeaders !== undefined) headers.push(...endpoint.deprecationHeaders);
      await answerEndpoint(exchange, endpoint, match.pathValues, target.query, successHeaders);
    } catch (error) {
      sendError(exchange, error, headers);
    }
  };
}
