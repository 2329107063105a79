import type { ResponseCache } from "../cache/response-cache.ts";
import type { CacheResult } from "../http/cache-result.ts";
import type { Exchange } from "../http/exchange.ts";
import type { FindAnswer } from "../operations/operation.ts";
import { questionOf } from "../operations/question-of.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { HeadersOf } from "./answer-query.ts";

/** What answers of procedures are found with. */
export interface FindAnswerDependencies {
  responses: ResponseCache;
  headersOf: HeadersOf;
  /** Told of every call, how the cache answered it. */
  countCacheResult: (result: CacheResult) => void;
}

/**
 * Finds the answers of the procedures that a tRPC request calls where REST's answers are found: what
 * one surface has made, or is making, the other gives.
 */
export function createFindAnswer({
  responses,
  headersOf,
  countCacheResult,
}: FindAnswerDependencies): (exchange: Exchange, ctx: RequestContext) => FindAnswer {
  return (exchange, ctx) => async (meta, asked) => {
    // The calls of a batch are found by themselves.
    const own: Exchange = { ...exchange };
    try {
      const answer = await responses.find(own, {
        question: questionOf(meta, asked),
        endpointHeaders: headersOf(meta.openapi.operationId).kept,
      });
      if ("representations" in answer) return parsed(answer.representations.body);
      ctx.upstreamCalls.push(...answer.ctx.upstreamCalls);
      for (const service of answer.ctx.degraded) ctx.degraded.add(service);
      return parsed(answer.body);
    } finally {
      if (own.cacheResult !== undefined) countCacheResult(own.cacheResult);
      exchange.failure ??= own.failure;
    }
  };
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString());
}
