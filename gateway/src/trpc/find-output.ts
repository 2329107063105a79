import type { ResponseHeaders } from "../cache/make-response.ts";
import type { ResponseCache } from "../cache/response-cache.ts";
import type { CacheResult, Exchange } from "../http/exchange.ts";
import type { FindOutput } from "../operations/operation.ts";
import type { RequestContext } from "../upstream/request-context.ts";

export interface FindOutputDependencies {
  responses: ResponseCache;
  headersOf: (operationId: string) => ResponseHeaders;
  /** Called for every call. */
  countCacheResult: (result: CacheResult) => void;
}

/**
 * Finds the results of the procedures of a tRPC request in the cache of REST's responses: what one
 * surface has made, or is making, the other sends.
 */
export function createFindOutput({
  responses,
  headersOf,
  countCacheResult,
}: FindOutputDependencies): (exchange: Exchange, ctx: RequestContext) => FindOutput {
  return (exchange, ctx) => async (operationId, question) => {
    // Each call of a batch has its own result of the cache.
    const own: Exchange = { ...exchange };
    try {
      const response = await responses.find(own, {
        question,
        endpointHeaders: headersOf(operationId).stored,
      });
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
