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
  /** When the answer is due, on the clock of `performance.now()`. */
  readonly deadlineAt: number;
  /** Filled as calls end. */
  readonly upstreamCalls: UpstreamCall[];
  /** Filled with what calls read; undefined when the answer is not kept. */
  readonly reads: ReadLog | undefined;
}
