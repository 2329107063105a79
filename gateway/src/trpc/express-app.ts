import type { AnyTRPCRouter, TRPCError } from "@trpc/server";
import { createExpressMiddleware } from "@trpc/server/adapters/express";
import compression from "compression";
import express from "express";
import type { ErrorRequestHandler } from "express";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  notFound,
  publicErrorOf,
  retryAfterSeconds,
  unsupportedMediaType,
} from "../errors/public-error.ts";
import type { Exchange } from "../http/exchange.ts";
import { headerPairs } from "../http/headers.ts";
import { challenge, sendAllowedMethods, sendError } from "../http/send.ts";
import { originForm } from "../http/target.ts";
import type { Target } from "../http/target.ts";
import type { ProcedureContext } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import { contextHeaders } from "../upstream/context-headers.ts";
import { isWhole } from "./query-responder.ts";

export interface ExpressAppDependencies {
  router: AnyTRPCRouter;
  createContext: (exchange: Exchange) => ProcedureContext;
  bodyLimitBytes: number;
  /** Whether responses depend on the origin. */
  variesByOrigin: boolean;
}

/** Most calls in one tRPC request. */
const trpcBatchMax = 100;

const trpcMethods = new Set(["GET", "HEAD", "POST"]);
const trpcAllow = "GET, HEAD, POST, OPTIONS";
const mutationAllow = "POST, OPTIONS";

const pathNotFound = () => notFound("Path not found");

// Other types that tRPC accepts are of no use to a procedure.
function isTrpcBody(contentType: string | undefined): boolean {
  return /^application\/json *(?:;|$)/.test(contentType ?? "");
}

function retryAfterOf(errors: readonly TRPCError[]): [name: string, value: string][] {
  const isPassing = errors.some(({ code }) => code === "SERVICE_UNAVAILABLE");
  return isPassing ? [["Retry-After", String(retryAfterSeconds)]] : [];
}

const isDegraded = (ctx: ProcedureContext | undefined) => (ctx?.degraded.size ?? 0) > 0;

/**
 * Serves `/trpc`, and 404 for other paths. REST is not behind Express because Express costs as much per
 * request as all of REST.
 *
 * @returns a function of an exchange, its target, the headers of its response, and the failure of its one
 * call if that is known
 */
export function createExpressApp(dependencies: ExpressAppDependencies) {
  const { router, createContext, bodyLimitBytes, variesByOrigin } = dependencies;
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const failures = new WeakMap<Exchange, unknown>();
  const exchangeOf = (request: IncomingMessage): Exchange => {
    const exchange = exchanges.get(request);
    if (exchange === undefined) throw new Error("a request without an exchange");
    return exchange;
  };
  const contextOf = (exchange: Exchange): ProcedureContext => {
    const ctx = createContext(exchange);
    if (!failures.has(exchange)) return ctx;
    return { ...ctx, findOutput: () => Promise.reject(failures.get(exchange)) };
  };

  const operations = operationsByPath(router);
  const isStorable = ({ path }: { path: string }) => operations.get(path)?.storable === true;

  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.use("/trpc", (request, _response, next) => {
    const exchange = exchangeOf(request);
    exchange.operation = "trpc";
    const { method, path, headers } = request;
    const calls = decodeURIComponent(path.slice(1)).split(",");
    const known = calls.flatMap((call) => operations.get(call) ?? []);
    const areMutations = known.length > 0 && known.every(({ isMutation }) => isMutation);
    const allow = areMutations ? mutationAllow : trpcAllow;
    if (known.length === 0 && !trpcMethods.has(method)) {
      sendError(exchange, pathNotFound(), []);
    } else if (!trpcMethods.has(method) || !allow.includes(method)) {
      sendAllowedMethods(exchange, allow, []);
    } else if (method === "POST" && !isTrpcBody(headers["content-type"])) {
      sendError(exchange, unsupportedMediaType("The body must be of type application/json."), []);
    } else {
      next();
    }
  });
  // A batch that is streamed would wait in the compressor until it is whole.
  app.use("/trpc", compression({ filter: ({ headers }) => isWhole(headers) }));
  app.use(
    "/trpc",
    createExpressMiddleware({
      router,
      createContext: ({ req }) => contextOf(exchangeOf(req)),
      // Long inputs do not fit into a URL.
      allowMethodOverride: true,
      maxBatchSize: trpcBatchMax,
      maxBodySize: bodyLimitBytes,
      onError: ({ error, req }) => {
        if (publicErrorOf(error).status >= 500) exchangeOf(req).failure = error.cause ?? error;
      },
      responseMeta: ({ ctx, errors, info }) => {
        const mayBeStored =
          errors.length === 0 && !isDegraded(ctx) && info?.calls.every(isStorable) === true;
        return {
          headers: new Headers([
            ["Cache-Control", mayBeStored ? "no-cache" : "no-store"],
            // tRPC's own Vary replaces one that was set before.
            ...(variesByOrigin ? [["Vary", "Origin"] satisfies [string, string]] : []),
            ...retryAfterOf(errors),
            ...(errors.some(({ code }) => code === "UNAUTHORIZED") ? [challenge] : []),
            ...(ctx === undefined ? [] : headerPairs(contextHeaders(ctx))),
          ]),
        };
      },
    }),
  );
  app.use((request) => {
    sendError(exchangeOf(request), pathNotFound(), []);
  });
  const sendFailure: ErrorRequestHandler = (error: unknown, request, _response, _next) => {
    sendError(exchangeOf(request), error, []);
  };
  app.use(sendFailure);

  return (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
    known?: { failure: unknown },
  ): void => {
    const { request, response }: { request: IncomingMessage; response: ServerResponse } = exchange;
    exchanges.set(request, exchange);
    if (known !== undefined) failures.set(exchange, known.failure);
    for (const [name, value] of headerPairs(headers)) response.setHeader(name, value);
    // For an absolute target that it cannot parse, Express has a page of its own.
    request.url = originForm(target);
    app(request, response);
  };
}
