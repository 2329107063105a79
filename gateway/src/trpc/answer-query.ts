import type { AnyTRPCRouter } from "@trpc/server";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { CacheRequest, OriginResponse, Surface } from "../cache/make-response.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import { bytesOf } from "../http/content-coding.ts";
import type { Exchange } from "../http/exchange.ts";
import { bodyWithin } from "../http/representations.ts";
import type { EndpointHeaders, Envelope } from "../http/representations.ts";
import { sendError, sendResponse } from "../http/send.ts";
import type { Target } from "../http/target.ts";
import type { AskedOperation, OperationMeta } from "../operations/operation.ts";
import { operationsByPath } from "../operations/operations-of.ts";
import { questionOf } from "../operations/question-of.ts";
import type { ObserveProcedure, RequestContext } from "../upstream/request-context.ts";

/** Headers of an operation's responses on the REST surface. */
export type HeadersOf = (operationId: string) => {
  /** Of stored responses. */
  stored: EndpointHeaders;
  /** Of a response that is not stored, or not as it is sent. */
  unstored: (status: number, ctx: RequestContext) => string[];
};

interface QueryDependencies {
  router: AnyTRPCRouter;
  /** Undefined caches nothing. */
  responses: ResponseCache | undefined;
  createContext: (exchange: Exchange) => RequestContext;
  headersOf: HeadersOf;
  observeProcedure: ObserveProcedure;
  /** Responds to a tRPC client with the failure of its query. */
  tellFailure: (
    exchange: Exchange,
    target: Target,
    headers: readonly string[],
    known: { failure: unknown },
  ) => void;
}

/** What tRPC's own adapter writes around an output. */
const envelope: Envelope = { before: '{"result":{"data":', after: "}}" };

const streamType = "application/jsonl";

/** Whether a tRPC request asks for a response in one piece; otherwise tRPC streams it line by line. */
export function isWholeAnswer({ accept, "trpc-accept": ownAccept }: IncomingHttpHeaders): boolean {
  if (ownAccept !== undefined) return false;
  return accept?.split(",").some((type) => type.trim() === streamType) !== true;
}

// The headers that `isWholeAnswer` reads. Beside the operation's own.
const surfaceHeaders = ["Vary", "trpc-accept, Accept"];

interface Query {
  meta: OperationMeta;
  surface: Surface;
}

/**
 * Responds to GETs of a single query as REST does: with cached bytes, an entity tag and the same headers.
 * Batches, POSTs, uncacheable operations and invalid input are left to tRPC's own adapter, which also words
 * every failure.
 *
 * @returns whether it was such a GET; never rejects
 */
export function createQueryAnswerer(dependencies: QueryDependencies) {
  const { responses, createContext, headersOf, observeProcedure, tellFailure } = dependencies;
  const queries = new Map<string, Query>();
  for (const [path, meta] of operationsByPath(dependencies.router)) {
    if (!meta.isCached || meta.isMutation) continue;
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
    const { stored: endpointHeaders, unstored } = headersOf(meta.openapi.operationId);
    const send = async ({ status, body, ctx }: OriginResponse) => {
      headers.push(...unstored(status, ctx));
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
      if (request.method === "HEAD") sendError(exchange, failure, headers);
      else tellFailure(exchange, target, headers, { failure });
    }
    return true;
  };
}

/** The call that a request makes; undefined for one that tRPC's adapter handles. */
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
    // Invalid JSON or input: tRPC's adapter parses it again, and responds with the failure.
    return undefined;
  }
}
