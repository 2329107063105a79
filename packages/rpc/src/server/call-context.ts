import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import type { ContextValues, HandlerContext } from "@connectrpc/connect";
import type { DescMethod, DescService } from "@bufbuild/protobuf";
import type { Call } from "@storefront/process";

/** An incoming call at its start. */
export interface IncomingCall {
  method: DescMethod;
  /** Connect's name: `connect`, `grpc`, `grpc-web`. */
  protocolName: string;
  url: string;
  /** Milliseconds since the epoch; undefined if the client set none. */
  deadlineMs: number | undefined;
  /** W3C Trace Context of the client. */
  traceparent: string | undefined;
  tracestate: string | undefined;
  /** The headers of the call, converted when a handler first reads them. */
  readHeaders: () => Headers;
  /** The handler's response headers, if the port has created them; default: created on first use. */
  responseHeader?: Headers;
  responseTrailer?: Headers;
}

/**
 * A HandlerContext that creates its parts on first use: most reads use none of them, and Headers and
 * AbortController cost more than such a call.
 */
export class CallContext implements HandlerContext, Call {
  readonly method: DescMethod;
  readonly service: DescService;
  readonly requestMethod = "POST";
  readonly protocolName: string;
  readonly url: string;
  readonly deadlineMs: number;
  readonly #readHeaders: () => Headers;
  #controller: AbortController | undefined;
  #abortReason: ConnectError | undefined;
  #requestHeader: Headers | undefined;
  #responseHeader: Headers | undefined;
  #responseTrailer: Headers | undefined;
  #values: ContextValues | undefined;
  #abortListeners: Set<(reason: Error) => void> | undefined;

  constructor(call: IncomingCall, deadlineMs: number) {
    this.method = call.method;
    this.service = call.method.parent;
    this.protocolName = call.protocolName;
    this.url = call.url;
    this.deadlineMs = deadlineMs;
    this.#readHeaders = call.readHeaders;
    this.#responseHeader = call.responseHeader;
    this.#responseTrailer = call.responseTrailer;
  }

  timeoutMs = (): number | undefined =>
    this.deadlineMs === Infinity ? undefined : this.deadlineMs - Date.now();

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  get requestHeader(): Headers {
    this.#requestHeader ??= this.#readHeaders();
    return this.#requestHeader;
  }

  get responseHeader(): Headers {
    this.#responseHeader ??= new Headers();
    return this.#responseHeader;
  }

  get responseTrailer(): Headers {
    this.#responseTrailer ??= new Headers();
    return this.#responseTrailer;
  }

  get values(): ContextValues {
    this.#values ??= createContextValues();
    return this.#values;
  }

  /** The response headers that a handler has set; undefined if it used none. */
  get setHeader(): Headers | undefined {
    return this.#responseHeader;
  }

  /** The response trailers that a handler has set; undefined if it used none. */
  get setTrailer(): Headers | undefined {
    return this.#responseTrailer;
  }

  /** The reason of the call's abort; undefined until then. */
  get abortReason(): ConnectError | undefined {
    return this.#abortReason;
  }

  onAbort(listener: (reason: Error) => void): () => void {
    if (this.#abortReason !== undefined) return () => undefined;
    this.#abortListeners ??= new Set();
    const listeners = this.#abortListeners;
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Aborts the work for the call. Only the first reason counts. */
  abort(reason: ConnectError): void {
    if (this.#abortReason !== undefined) return;
    this.#abortReason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#abortListeners ?? []) listener(reason);
  }
}

/** The reason of a call that its client has cancelled. */
export function canceled(): ConnectError {
  return new ConnectError("the client has disconnected", Code.Canceled);
}

/** The reason of a call that ran out of time. */
export function deadlineExceeded(): ConnectError {
  return new ConnectError("the operation timed out", Code.DeadlineExceeded);
}
