import type { ReadLog } from "../tags/read-log.ts";

export interface UpstreamCall {
  /** Service and method, such as `catalog.BatchGetOffers`. */
  name: string;
  durationMs: number;
}

/** What calls for a request share. */
export interface CallScope {
  readonly requestId: string;
  /** W3C trace context of its calls, unless they are made within a span. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Aborted when no client waits for the response any more. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`. */
  readonly deadlineAt: number;
  /** Filled as calls end. */
  readonly upstreamCalls: UpstreamCall[];
  /** Filled with what calls read; undefined when the response is not cached. */
  readonly reads: ReadLog | undefined;
}

/** The scope of calls for a part of a response, with a deadline of its own. */
export function withBudget(scope: CallScope, budgetMs: number): CallScope {
  return { ...scope, deadlineAt: Math.min(scope.deadlineAt, performance.now() + budgetMs) };
}
