import type { ReadLog } from "../tags/read-log.ts";

/** A call to a service made for a request. */
export interface UpstreamCall {
  /** Service and method, such as `catalog.BatchGetOffers`. */
  name: string;
  durationMs: number;
}

/** What a call on behalf of a request carries along. */
export interface CallScope {
  readonly requestId: string;
  /** W3C trace context of its calls, unless they are made within a span. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** When the answer is due, on the clock of `performance.now()`. */
  readonly deadlineAt: number;
  /** Filled as calls end. */
  readonly upstreamCalls: UpstreamCall[];
  /** Filled with what calls read; undefined when the answer is not kept. */
  readonly reads: ReadLog | undefined;
}

/** The scope of calls for a part of an answer that has so long, in milliseconds, if the answer itself has. */
export function withBudget(scope: CallScope, budgetMs: number): CallScope {
  const { requestId, traceparent, tracestate, signal, upstreamCalls, reads } = scope;
  const deadlineAt = Math.min(scope.deadlineAt, performance.now() + budgetMs);
  return { requestId, traceparent, tracestate, signal, deadlineAt, upstreamCalls, reads };
}
