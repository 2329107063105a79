import { appendHeaders, Code, ConnectError } from "@connectrpc/connect";
import {
  codeFromHttpStatus,
  errorFromJsonBytes,
  trailerDemux,
} from "@connectrpc/connect/protocol-connect";
import type { Dispatcher } from "undici";
import { responseLimitBytes, tooLarge } from "../limits.ts";
import { toHeaders } from "../to-headers.ts";
import { connectErrorOf } from "./connect-error-of.ts";

type RawHeaders = Record<string, string | string[] | undefined>;

/** The undecoded response to a unary call. */
export interface RawResponse {
  headers: RawHeaders;
  body: Uint8Array;
}

/** An encoded unary request; headers are name, value, name, value. */
export interface RawRequest {
  path: string;
  headers: string[];
  body: Uint8Array;
  /** Milliseconds until the call is aborted. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

/**
 * Makes one HTTP request and reads its whole response. Uses undici's lowest interface, because its promises
 * and streams cost more than the rest of such a call.
 *
 * Rejects with a ConnectError: the service's own, or `unavailable`, `deadline_exceeded`, `canceled`.
 */
export function callUnary(dispatcher: Dispatcher, request: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const call = new UnaryCall(request, resolve, reject);
    const { path, headers, body } = request;
    dispatcher.dispatch({ path, method: "POST", headers, body }, call);
  });
}

class UnaryCall implements Dispatcher.DispatchHandler {
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: ConnectError) => void;
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: ConnectError | undefined;
  #status = 0;
  #headers: RawHeaders = {};
  #body: Buffer | undefined;
  #pieces: Buffer[] | undefined;
  #sizeBytes = 0;

  constructor(
    { timeoutMs, signal }: RawRequest,
    resolve: (response: RawResponse) => void,
    reject: (error: ConnectError) => void,
  ) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#signal = signal;
    this.#timer = setTimeout(this.#onDeadline, timeoutMs);
    signal?.addEventListener("abort", this.#onAbort);
    if (signal?.aborted) this.#onAbort();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#failure !== undefined) controller.abort(this.#failure);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawHeaders,
  ): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, piece: Buffer): void {
    this.#sizeBytes += piece.length;
    if (this.#sizeBytes > responseLimitBytes) this.#fail(tooLarge("response", responseLimitBytes));
    else if (this.#body === undefined) this.#body = piece;
    else if (this.#pieces === undefined) this.#pieces = [this.#body, piece];
    else this.#pieces.push(piece);
  }

  onResponseEnd(): void {
    if (this.#failure !== undefined) return;
    this.#settle();
    const body =
      this.#pieces === undefined ? (this.#body ?? new Uint8Array()) : Buffer.concat(this.#pieces);
    if (this.#status === 200 && this.#headers["content-type"] === "application/proto") {
      this.#resolve({ headers: this.#headers, body });
    } else this.#reject(errorOf(this.#status, this.#headers, body));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#failure === undefined) this.#fail(connectErrorOf(error));
  }

  readonly #onDeadline = (): void => {
    this.#fail(new ConnectError("the operation timed out", Code.DeadlineExceeded));
  };

  readonly #onAbort = (): void => {
    this.#fail(ConnectError.from(this.#signal?.reason, Code.Canceled));
  };

  #fail(error: ConnectError): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#settle();
    this.#controller?.abort(error);
    this.#reject(error);
  }

  #settle(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#onAbort);
  }
}

function errorOf(status: number, headers: RawHeaders, body: Uint8Array): ConnectError {
  const fallback = new ConnectError(`HTTP status ${status}`, codeFromHttpStatus(status));
  if (headers["content-type"] !== "application/json") return fallback;
  try {
    const metadata = appendHeaders(...trailerDemux(toHeaders(headers)));
    return errorFromJsonBytes(body, metadata, fallback);
  } catch {
    return fallback;
  }
}
