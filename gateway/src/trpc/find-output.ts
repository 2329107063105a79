import type { ResponseCache } from "../cache/response-cache.ts";
import type { CacheResult, Exchange } from "../http/exchange.ts";
import type { FindOutput } from "../operations/operation.ts";
import { questionOf } from "../operations/question-of.ts";
import type { RequestContext } from "../upstream/request-context.ts";
import type { HeadersOf } from "./answer-query.ts";

interface FindOutputDependencies {
  responses: ResponseCache;
  headersOf: HeadersOf;
  countCacheResult: (result: CacheResult) => void;
}

/**
 * Finds outputs of procedures in REST's response cache: a response that one surface has made, or is making,
 * serves the other too.
 */
export function createFindOutput({
  responses,
  headersOf,
  countCacheResult,
}: FindOutputDependencies): (exchange: Exchange, ctx: RequestContext) => FindOutput {
  return (exchange, ctx) => async (meta, asked) => {
    // Each call of a batch has a cache result and a failure of its own.
    const own: Exchange = { ...exchange };
    try {
      const found = await responses.find(own, {
        question: questionOf(meta, asked),
        endpointHeaders: headersOf(meta.openapi.operationId).stored,
      });
      if ("representations" in found) return parsed(found.representations.body);
      ctx.upstreamCalls.push(...found.ctx.upstreamCalls);
      for (const service of found.ctx.degraded) ctx.degraded.add(service);
      return parsed(found.body);
    } finally {
      if (own.cacheResult !== undefined) countCacheResult(own.cacheResult);
      exchange.failure ??= own.failure;
    }
  };
}

function parsed(body: Buffer): unknown {
  return JSON.parse(body.toString());
}
