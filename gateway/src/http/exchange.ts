import type { Span, TraceParent } from "@storefront/process";
import type { IncomingMessage, ServerResponse } from "node:http";

/** Methods of operations. Others are one in metrics and traces, since clients may send any. */
export const knownMethods: ReadonlySet<string> = new Set([
  "GET",
  "HEAD",
  "POST",
  "PATCH",
  "DELETE",
  "OPTIONS",
]);

/** A request and its response in progress. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request target as sent; Express shortens the one of the request. */
  readonly url: string;
  readonly requestId: string;
  /** Of the client, behind trusted proxies. */
  readonly clientAddress: string;
  readonly client: ClientPresence;
  /** The client's trace. */
  readonly parent: TraceParent | undefined;
  /** Undefined when the request's trace is not sampled. */
  readonly span: Span | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** An operation's id, or the name of another part, such as `docs`; for metrics. */
  operation: string;
  /** Path of the operation with parameters in braces; undefined for other parts. */
  route: string | undefined;
  /** Undefined when the response cache had no part in the response. */
  cacheResult: CacheResult | undefined;
  /** Why the response failed, for the log. */
  failure: unknown;
  /**
   * How much longer the client may take for the response than for any other, in milliseconds: a file by its size,
   * Infinity for a stream.
   */
  extraTimeMs: number;
}

/**
 * Which response a request got from the response cache:
 *
 * - `fresh`, `stale`: a stored one, which a new one replaces if it was stale;
 * - `stale_if_error`: a stored one because a new one cannot be made;
 * - `shared`: one that another gateway has made;
 * - `joined`: one that was being made for another request;
 * - `miss`: one made for it, or a failure to make one;
 * - `uncacheable`: one made for it that has no key, as with an unknown country.
 */
export const cacheResults = [
  "fresh",
  "stale",
  "stale_if_error",
  "shared",
  "joined",
  "miss",
  "uncacheable",
] as const;

export type CacheResult = (typeof cacheResults)[number];

export class ClientPresence {
  #controller: AbortController | undefined;
  #hasLeft = false;

  /** Aborted when the client leaves before it has the whole response. Created on first use. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#hasLeft) this.#controller.abort(clientLeft);
    }
    return this.#controller.signal;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#controller?.abort(clientLeft);
  }
}

/** Made once, since making the default one takes a stack trace. */
const clientLeft = new Error("the client has left");
