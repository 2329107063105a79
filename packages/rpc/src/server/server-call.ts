import { fromBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { runForCall, runForSpan } from "@storefront/process";
import type { Span } from "@storefront/process";
import { toBytes } from "../encoded/encoded-message.ts";
import { responseLimitBytes, invalidMessage, maxTimeoutMs, tooLarge } from "../limits.ts";
import { CallContext, deadlineExceeded } from "./call-context.ts";
import type { IncomingCall } from "./call-context.ts";
import type { CallObserver } from "./call-observer.ts";
import type { Procedure } from "./provide.ts";

/** Dependencies of the calls of a server. */
export interface CallDependencies {
  observer: CallObserver;
  inFlight: InFlight;
  /** Deadline of unary calls without one, in milliseconds. */
  callTimeoutMs: number;
}

/** Sends the response of a unary call by its protocol. */
export interface UnaryResponder {
  /** @throws before anything is sent */
  send(bytes: Uint8Array): void;
  refuse(error: ConnectError): void;
}

type Output = MessageInitShape<DescMessage>;

/** A call from its start to its end, in any protocol. It ends by `end` or `fail`, once. */
export class ServerCall extends CallContext {
  /** Undefined when the call's trace is not sampled. */
  readonly span: Span | undefined;
  readonly startedAt = performance.now();
  readonly #procedure: Procedure;
  readonly #observer: CallObserver;
  readonly #inFlight: InFlight;
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  constructor(procedure: Procedure, incoming: IncomingCall, dependencies: CallDependencies) {
    const limitMs = procedure.kind === "unary" ? Date.now() + dependencies.callTimeoutMs : Infinity;
    super(incoming, incoming.deadlineMs ?? limitMs);
    this.#procedure = procedure;
    this.#observer = dependencies.observer;
    this.#inFlight = dependencies.inFlight;
    this.span = this.#observer.begin(incoming);
    this.#inFlight.start(this);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /**
   * Runs a handler for this call and, if it is unary, its span: the trace of a stream would grow for as long
   * as its client listens.
   */
  run<Result>(handle: () => Result): Result {
    const { span } = this;
    const isTraced = span !== undefined && this.#procedure.kind === "unary";
    return runForCall(this, isTraced ? () => runForSpan(span, handle) : handle);
  }

  /** Decodes a request and checks it by its rules. */
  decode(bytes: Uint8Array): MessageShape<DescMessage> {
    return this.#procedure.check(decode(this.#procedure.method.input, bytes));
  }

  encode(message: Output): Uint8Array {
    const bytes = toBytes(this.method.output, message);
    if (bytes.length > responseLimitBytes) throw tooLarge("message", responseLimitBytes);
    return bytes;
  }

  /** Runs the handler of a unary call and sends its response, or its error, by the deadline. */
  respond({ impl }: Procedure<"unary">, body: Uint8Array, responder: UnaryResponder): void {
    const fail = (error: unknown): void => {
      if (!this.#hasEnded) responder.refuse(this.fail(error));
    };
    const succeed = (message: Output): void => {
      if (this.#hasEnded) return;
      try {
        responder.send(this.encode(message));
        this.end();
      } catch (error) {
        fail(error);
      }
    };
    try {
      const request = this.decode(body);
      const result = this.run(() => impl(request, this));
      // Responses from memory need no promise and no timer.
      if (result instanceof Promise) {
        this.failAtDeadline(fail);
        result.then(succeed, fail);
      } else succeed(result);
    } catch (error) {
      fail(error);
    }
  }

  /** Aborts the work and calls `fail` at the deadline, unless the call ends before. */
  failAtDeadline(fail: (error: ConnectError) => void): void {
    if (this.deadlineMs === Infinity) return;
    const leftMs = Math.max(0, this.deadlineMs - Date.now());
    this.#timer = setTimeout(
      () => {
        const error = deadlineExceeded();
        this.abort(error);
        fail(error);
      },
      Math.min(leftMs, maxTimeoutMs),
    );
  }

  /** Ends a call that has failed. @returns the error for the client: the reason of the abort, if there was one */
  fail(error: unknown): ConnectError {
    const failure = this.#observer.fail(this.abortReason ?? error, this);
    this.end(failure);
    return failure;
  }

  end(failure?: ConnectError): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    this.abort(ended);
    this.#inFlight.end(this);
    this.#observer.end(this, failure);
  }
}

/** Aborts work that outlives the response. Created once, since most calls end this way. */
const ended = new ConnectError("the call has ended", Code.Canceled);

function decode(input: DescMessage, bytes: Uint8Array): MessageShape<DescMessage> {
  try {
    return fromBinary(input, bytes);
  } catch (error) {
    throw invalidMessage(error);
  }
}

/** The running calls, so that closing can wait for them and abort them. */
export class InFlight {
  readonly #calls = new Set<CallContext>();
  #onIdle: (() => void) | undefined;

  get count(): number {
    return this.#calls.size;
  }

  start(call: CallContext): void {
    this.#calls.add(call);
  }

  end(call: CallContext): void {
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#onIdle?.();
  }

  /** Resolves when no call runs, or after `timeoutMs`; false if calls still run then. */
  async idle(timeoutMs: number): Promise<boolean> {
    if (this.#calls.size === 0) return true;
    return await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), timeoutMs);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  /** Aborts the handlers of all calls; those that listen to their signal can still respond. */
  stop(reason: ConnectError): void {
    for (const call of this.#calls) call.abort(reason);
  }
}
