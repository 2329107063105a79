import type { Span, TraceParent } from "@storefront/telemetry";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { CacheResult } from "./cache-result.ts";
import type { ClientPresence } from "./client-presence.ts";
import type { Connection } from "./connections.ts";

/** One request and its answer on their way. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request target as sent; Express shortens the one of the request. */
  readonly url: string;
  readonly requestId: string;
  readonly connection: Connection;
  /** Whether the client still waits for the answer. */
  readonly client: ClientPresence;
  /** What the client says of its trace. */
  readonly parent: TraceParent | undefined;
  /** Undefined when the request's trace is not sampled. */
  readonly span: Span | undefined;
  /** On the clock of `performance.now()`. */
  readonly startedAt: number;
  /** What was asked for, as metrics call it: an operation's id, or what else there is beside them. */
  operation: string;
  /** Path of what was asked for, with parameters in braces; undefined for what has none. */
  route: string | undefined;
  /** How the response cache answered; undefined when it had no part in it. */
  cacheResult: CacheResult | undefined;
  /** What made the answer fail, for the log. */
  failure: unknown;
  /**
   * How much longer the client may take for the response than for any other, in milliseconds: a file by its size,
   * Infinity for a stream.
   */
  extraTimeMs: number;
}
