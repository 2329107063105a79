import type { AnyTRPCRouter } from "@trpc/server";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OriginResponse, ResponseHeaders, Surface } from "../cache/make-response.ts";
import type { Question } from "../cache/question.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { bytesOf } from "../http/content-coding.ts";
import type { CacheResult, Exchange } from "../http/exchange.ts";
import { bodyWithin } from "../http/representations.ts";
import type { Envelope } from "../http/representations.ts";
import { sendError, sendResponse } from "../http/send.ts";
import type { Target } from "../http/target.ts";
import type { FindOutput, OperationMeta } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import type { ObserveProcedure, RequestContext } from "../upstream/request-context.ts";

export interface QueryDependencies {
  router: AnyTRPCRouter;
  /** Undefined stores no responses. */
  responses: ResponseCache | undefined;
  createContext: (exchange: Exchange) => RequestContext;
  /** Headers of responses on the REST surface. */
  headersOf: (operationId: string) => ResponseHeaders;
  observeProcedure: ObserveProcedure;
  /** Sends the failure of a query in tRPC's form. */
  sendFailure: (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
    known: { failure: unknown },
  ) => void;
}

/** As tRPC's own adapter writes it. */
const envelope: Envelope = { before: '{"result":{"data":', after: "}}" };

/** Beside the operation's own: what decides whether a response is whole. */
const surfaceHeaders = ["Vary", "trpc-accept, Accept"];

interface Query {
  meta: OperationMeta;
  surface: Surface;
}

/**
 * Responds to GETs of a single query as REST does: with stored bytes, an entity tag and the same headers. Other
 * requests are for tRPC's own adapter: batches, POSTs, operations whose responses are not stored, invalid input; and
 * so is the form of every failure.
 *
 * @returns whether the request is such a GET; never rejects
 */
export function createQueryResponder(dependencies: QueryDependencies) {
  const { responses, createContext, headersOf, observeProcedure, sendFailure } = dependencies;
  const queries = new Map<string, Query>();
  for (const [path, meta] of operationsByPath(dependencies.router)) {
    if (!meta.isCached || meta.isMutation) continue;
    const { operationId } = meta;
    const observe = ({ startedAt }: Exchange) => observeProcedure(operationId, "ok", startedAt);
    const surface = { envelope, headers: surfaceHeaders, isFor: isWhole, observe };
    queries.set(path, { meta, surface });
  }

  async function respond(
    exchange: Exchange,
    { meta, surface }: Query,
    question: Question,
    headers: string[],
  ): Promise<void> {
    const { stored: endpointHeaders, unstored } = headersOf(meta.operationId);
    const send = async ({ status, body, ctx }: OriginResponse) => {
      headers.push(...unstored(status, ctx));
      await sendResponse(exchange, { status, body: bodyWithin(envelope, body), headers });
    };
    if (responses === undefined) {
      const ctx = createContext(exchange);
      const { status, body } = await question.respond(ctx);
      await send({ status, body: bytesOf(body), ctx });
      surface.observe(exchange);
      return;
    }
    await responses.respond(exchange, headers, { question, endpointHeaders, send, surface });
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
    const question = readQuery(query.meta, request, target.query);
    if (question === undefined) return false;
    exchange.operation = "trpc";
    try {
      await respond(exchange, query, question, [...headers, ...surfaceHeaders]);
    } catch (failure) {
      if (request.method === "HEAD") sendError(exchange, failure, headers);
      else sendFailure(exchange, target, headers, { failure });
    }
    return true;
  };
}

/**
 * Finds the results of the procedures of a tRPC request in the cache of REST's responses: what one
 * surface has made, or is making, the other sends.
 *
 * @param countCacheResult called for every call
 */
export function createFindOutput(
  responses: ResponseCache,
  headersOf: QueryDependencies["headersOf"],
  countCacheResult: (result: CacheResult) => void,
): (exchange: Exchange, ctx: RequestContext) => FindOutput {
  return (exchange, ctx) => async (operationId, question) => {
    // Each call of a batch has its own result of the cache.
    const own: Exchange = { ...exchange };
    try {
      const { stored: endpointHeaders } = headersOf(operationId);
      const response = await responses.find(own, { question, endpointHeaders });
      if ("representations" in response) return parsed(response.representations.body);
      ctx.upstreamCalls.push(...response.ctx.upstreamCalls);
      for (const service of response.ctx.degraded) ctx.degraded.add(service);
      return parsed(response.body);
    } finally {
      if (own.cacheResult !== undefined) countCacheResult(own.cacheResult);
      exchange.failure ??= own.failure;
    }
  };
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString());
}

/** Whether a tRPC request accepts only a response in one piece; otherwise tRPC streams it line by line. */
export function isWhole({ accept, "trpc-accept": ownAccept }: IncomingHttpHeaders): boolean {
  if (ownAccept !== undefined) return false;
  return accept?.split(",").some((type) => type.trim() === "application/jsonl") !== true;
}

/** The call of an operation; undefined for a request that is not responded to here. */
function readQuery(
  { ask }: OperationMeta,
  { method, headers }: IncomingMessage,
  query: string,
): Question | undefined {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const parameters = new URLSearchParams(query);
  if (parameters.get("batch") === "1" || !isWhole(headers)) return undefined;
  const input = parameters.get("input");
  try {
    return ask(input === null ? undefined : JSON.parse(input));
  } catch {
    // Not JSON, or invalid: tRPC finds it out again, and sends the error.
    return undefined;
  }
}
