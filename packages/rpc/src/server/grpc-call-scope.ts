import { fromBinary } from "@bufbuild/protobuf";
import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { ConnectError, MethodImplSpec } from "@connectrpc/connect";
import type { Metadata, ServerUnaryCall } from "@grpc/grpc-js";
import type { Span } from "@storefront/telemetry";
import type { EventEmitter } from "node:events";
import { toBytes } from "../encoded/encoded-message.ts";
import { toGrpcStatus, toHeaders, toMetadata } from "../grpc-metadata.ts";
import { answerLimitBytes, invalidMessage, messageTooLarge } from "../limits.ts";
import { CallContext, canceled, deadlineExceeded } from "./call-context.ts";
import type { CallObserver } from "./create-call-observer.ts";
import type { InFlight } from "./in-flight.ts";
import type { ProvidedService } from "./provide.ts";

/** What the gRPC handlers use. */
export interface GrpcCallDependencies {
  authorize: ProvidedService["authorize"];
  observer: CallObserver;
  inFlight: InFlight;
  /** Deadline of unary calls that come without one. */
  callTimeoutMs: number;
}

type SurfaceCall = EventEmitter &
  Pick<ServerUnaryCall<Buffer, Buffer>, "metadata" | "getDeadline" | "getPath" | "sendMetadata">;

/** What the four kinds of gRPC calls have in common, from the start of one to its end. */
export class GrpcCallScope {
  readonly context: CallContext;
  /**
   * Undefined when the call's trace is not sampled. Handlers of streams do not run for it: the trace
   * would gather spans for as long as somebody listens.
   */
  readonly span: Span | undefined;
  readonly #call: SurfaceCall;
  readonly #dependencies: GrpcCallDependencies;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #headersSent = false;

  constructor(call: SurfaceCall, spec: MethodImplSpec, dependencies: GrpcCallDependencies) {
    this.#call = call;
    this.#dependencies = dependencies;
    const givenMs = Number(call.getDeadline());
    const isLimited = givenMs === Infinity && spec.kind === "unary";
    const deadlineMs = isLimited ? Date.now() + dependencies.callTimeoutMs : givenMs;
    this.context = new CallContext({
      method: spec.method,
      protocolName: "grpc",
      url: call.getPath(),
      deadlineMs,
      readHeaders: () => toHeaders(call.metadata),
    });
    this.span = dependencies.observer.begin(spec.method, "grpc", call.metadata);
    dependencies.inFlight.start(this.context);
    call.on("cancelled", () => {
      if (this.#ended) return;
      this.context.abort(Date.now() >= deadlineMs ? deadlineExceeded() : canceled());
    });
  }

  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Has a call fail at its deadline when its caller set none; of the others grpc-js sees to it. */
  failAtDeadline(fail: (error: ConnectError) => void): void {
    const { deadlineMs } = this.context;
    if (Number(this.#call.getDeadline()) === deadlineMs) return;
    this.#timer = setTimeout(() => {
      const error = deadlineExceeded();
      this.context.abort(error);
      fail(error);
    }, deadlineMs - Date.now());
  }

  /** Throws unless the call may be made. */
  authorize(): void {
    this.#dependencies.authorize(this.#call.metadata.get("authorization")[0]?.toString());
  }

  decode<I extends DescMessage>(input: I, bytes: Uint8Array): MessageShape<I> {
    try {
      return fromBinary(input, bytes);
    } catch (error) {
      throw invalidMessage(error);
    }
  }

  /** The bytes of an answer; sends the headers that the handler has set before the first. */
  encode<O extends DescMessage>(output: O, message: MessageInitShape<O>): Buffer {
    const bytes = toBytes(output, message);
    if (bytes.length > answerLimitBytes) throw messageTooLarge(answerLimitBytes);
    this.sendHeaders();
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  sendHeaders(): void {
    const { setHeader } = this.context;
    if (setHeader === undefined || this.#headersSent) return;
    this.#headersSent = true;
    this.#call.sendMetadata(toMetadata(setHeader));
  }

  /** Ends a call that worked; gives its trailers. */
  succeed(): Metadata | undefined {
    const { setTrailer } = this.context;
    this.#end();
    return setTrailer === undefined ? undefined : toMetadata(setTrailer);
  }

  /** Ends a call that did not; gives the status for grpc-js. */
  fail(error: unknown): ReturnType<typeof toGrpcStatus> {
    const { abortReason } = this.context;
    const answer = this.#dependencies.observer.fail(abortReason ?? error, this.context, this.span);
    this.sendHeaders();
    this.#end(answer);
    return toGrpcStatus(answer, this.context.setTrailer);
  }

  #end(error?: ConnectError): void {
    clearTimeout(this.#timer);
    this.#ended = true;
    this.context.finish();
    this.#dependencies.inFlight.end(this.context);
    this.#dependencies.observer.end(this.context, this.#startedAt, this.span, error);
  }
}
