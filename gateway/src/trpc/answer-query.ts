import type { AnyTRPCRouter } from "@trpc/server";
import type { IncomingMessage } from "node:http";
import type { CacheRequest, OriginResponse, Surface } from "../cache/make-response.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { bytesOf } from "../http/bytes-of.ts";
import type { Exchange } from "../http/exchange.ts";
import { bodyWithin } from "../http/representations.ts";
import type { EndpointHeaders, Envelope } from "../http/representations.ts";
import { sendError, sendResponse } from "../http/send.ts";
import type { Target } from "../http/target.ts";
import type { AskedOperation, OperationMeta } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import { questionOf } from "../operations/question-of.ts";
import type { ObserveProcedure, RequestContext } from "../upstream/request-context.ts";
import { isWholeAnswer, wholeAnswerVary } from "./is-whole-answer.ts";

/** Headers that an operation's answers have on the REST surface. */
export type HeadersOf = (operationId: string) => {
  /** Of answers that are kept. */
  kept: EndpointHeaders;
  /** Of one that is not, or not as it was made. */
  made: (status: number, ctx: RequestContext) => string[];
};

/** What queries are answered with. */
export interface QueryDependencies {
  router: AnyTRPCRouter;
  /** Undefined keeps no answers. */
  responses: ResponseCache | undefined;
  createContext: (exchange: Exchange) => RequestContext;
  headersOf: HeadersOf;
  observeProcedure: ObserveProcedure;
  /** Tells a tRPC client what its query has failed with. */
  tellFailure: (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
    known: { failure: unknown },
  ) => void;
}

/** What tRPC says around the answer of a query; the same as its own adapter does. */
const envelope: Envelope = { before: '{"result":{"data":', after: "}}" };

// Beside the operation's own.
const surfaceHeaders = ["Vary", wholeAnswerVary];

interface Query {
  meta: OperationMeta;
  surface: Surface;
}

/**
 * Answers GETs of a single query as REST's are answered: with the bytes that are kept, an entity tag
 * and the same headers. Batches, calls by POST and what asks for nothing that can be kept are none, nor
 * is what breaks a rule: tRPC's own adapter answers those, and words every failure.
 *
 * @returns whether it was one; never rejects
 */
export function createQueryAnswerer(dependencies: QueryDependencies) {
  const { responses, createContext, headersOf, observeProcedure, tellFailure } = dependencies;
  const queries = new Map<string, Query>();
  for (const [path, meta] of operationsByPath(dependencies.router)) {
    if (!meta.isKept || meta.isMutation) continue;
    const { operationId } = meta.openapi;
    const observe = ({ startedAt }: Exchange) => observeProcedure(operationId, "ok", startedAt);
    const surface = { envelope, headers: surfaceHeaders, isFor: isWholeAnswer, observe };
    queries.set(path, { meta, surface });
  }

  async function answer(
    exchange: Exchange,
    { meta, surface }: Query,
    asked: AskedOperation,
    headers: string[],
  ): Promise<void> {
    const { kept: endpointHeaders, made } = headersOf(meta.openapi.operationId);
    const send = async ({ status, body, ctx }: OriginResponse) => {
      headers.push(...made(status, ctx));
      await sendResponse(exchange, { status, body: bodyWithin(envelope, body), headers });
    };
    const question = questionOf(meta, asked);
    if (responses === undefined) {
      const ctx = createContext(exchange);
      const { status, body } = await question.answer(ctx);
      await send({ status, body: bytesOf(body), ctx });
      surface.observe(exchange);
      return;
    }
    const cacheRequest: CacheRequest = {
      question,
      endpointHeaders,
      send: (response, audience) => {
        const countryFromCookie = audience === "private";
        return send({ ...response, ctx: { ...response.ctx, countryFromCookie } });
      },
      surface,
    };
    await responses.answer(exchange, headers, cacheRequest);
  }

  return async (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
  ): Promise<boolean> => {
    const { request } = exchange;
    const [root, path = "", ...rest] = target.segments;
    const query = queries.get(path);
    if (root !== "trpc" || rest.length > 0 || query === undefined) return false;
    const asked = readQuery(query.meta, request, target.query);
    if (asked === undefined) return false;
    exchange.operation = "trpc";
    try {
      await answer(exchange, query, asked, [...headers, ...surfaceHeaders]);
    } catch (failure) {
      if (request.method === "HEAD") sendError(exchange, failure, [...headers]);
      else tellFailure(exchange, target, headers, { failure });
    }
    return true;
  };
}

/** What a request asks an operation for; undefined for what is not answered here. */
function readQuery(
  { ask }: OperationMeta,
  { method, headers }: IncomingMessage,
  query: string,
): AskedOperation | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const parameters = new URLSearchParams(query);
  if (parameters.get("batch") === "1" || !isWholeAnswer(headers)) return undefined;
  const input = parameters.get("input");
  try {
    return ask(input === null ? undefined : JSON.parse(input));
  } catch {
    // No JSON, or against a rule: tRPC finds it out again, and says so.
    return undefined;
  }
}
