import type { CacheStore } from "@storefront/cache";
import type { ReadLog } from "../tags/read-log.ts";
import type { Clients } from "./clients.ts";
import type { ObserveProcedure } from "../metrics/procedure-metrics.ts";

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

/** What procedures know of the request they answer, and what they work with. */
export interface RequestContext extends CallScope {
  /** Told of every procedure that tRPC calls. */
  readonly observeProcedure: ObserveProcedure;
  readonly clients: Clients;
  readonly cache: CacheStore;
  /** The request's `Cookie` header. */
  readonly cookie: string | undefined;
  /** Services whose best-effort part is missing from the answer. */
  readonly degraded: Set<string>;
  /** Whether the answer depends on the country cookie. */
  countryFromCookie: boolean;
}
