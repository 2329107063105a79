import { fromBinary } from "@bufbuild/protobuf";
import type { DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import type { MethodImplSpec } from "@connectrpc/connect";
import { codeToHttpStatus, errorToJsonBytes } from "@connectrpc/connect/protocol-connect";
import { runForCall } from "@storefront/call-scope";
import { runForSpan } from "@storefront/telemetry";
import type { Span } from "@storefront/telemetry";
import type { IncomingMessage, ServerResponse } from "node:http";
import { toBytes } from "../encoded/encoded-message.ts";
import {
  answerLimitBytes,
  invalidMessage,
  maxTimeoutMs,
  messageTooLarge,
  requestLimitBytes,
} from "../limits.ts";
import { toHeaders } from "../to-headers.ts";
import { CallContext, canceled, deadlineExceeded } from "./call-context.ts";
import type { CallObserver } from "./create-call-observer.ts";
import { discardRest } from "./discard-rest.ts";
import type { InFlight } from "./in-flight.ts";
import type { ProvidedService } from "./provide.ts";

const contentTypeProto = "application/proto";

type UnarySpec = Extract<MethodImplSpec, { kind: "unary" }>;

/** What the fast path uses. */
export interface FastPathDependencies {
  services: readonly ProvidedService[];
  observer: CallObserver;
  inFlight: InFlight;
  /** Deadline of calls that come without one. */
  callTimeoutMs: number;
}

interface Procedure {
  spec: UnarySpec;
  authorize: ProvidedService["authorize"];
}

/**
 * Serves unary calls of the Connect protocol with binary messages straight over node:http.
 * Answers false, having touched nothing, for every request that is something else.
 *
 * Protocol: https://connectrpc.com/docs/protocol#unary-rpcs
 */
export function createUnaryFastPath(
  dependencies: FastPathDependencies,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const procedures = new Map<string, Procedure>();
  for (const { service, methods, authorize } of dependencies.services) {
    for (const spec of methods) {
      if (spec.kind !== "unary") continue;
      procedures.set(`/${service.typeName}/${spec.method.name}`, { spec, authorize });
    }
  }

  return (request, response) => {
    const procedure = procedures.get(request.url ?? "");
    if (procedure === undefined || request.method !== "POST") return false;
    const { headers } = request;
    if (headers["content-type"] !== contentTypeProto) return false;
    if ((headers["content-encoding"] ?? "identity") !== "identity") return false;
    new UnaryExchange(procedure.spec, request, response, dependencies).start(procedure.authorize);
    return true;
  };
}

/** One call, from its headers to its answer. */
class UnaryExchange {
  readonly #spec: UnarySpec;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #observer: CallObserver;
  readonly #inFlight: InFlight;
  readonly #startedAt = performance.now();
  readonly #deadlineMs: number;
  readonly #context: CallContext;
  readonly #span: Span | undefined;
  #timer: NodeJS.Timeout | undefined;
  #answered = false;

  constructor(
    spec: UnarySpec,
    request: IncomingMessage,
    response: ServerResponse,
    { observer, inFlight, callTimeoutMs }: FastPathDependencies,
  ) {
    this.#spec = spec;
    this.#request = request;
    this.#response = response;
    this.#observer = observer;
    this.#inFlight = inFlight;
    const timeout = request.headers["connect-timeout-ms"];
    this.#deadlineMs = Date.now() + Number(timeout ?? callTimeoutMs);
    this.#context = new CallContext({
      method: spec.method,
      protocolName: "connect",
      url: request.url ?? "",
      deadlineMs: this.#deadlineMs,
      readHeaders: () => toHeaders(request.headers),
    });
    this.#span = observer.begin(spec.method, "connect", request.headers);
  }

  start(authorize: ProvidedService["authorize"]): void {
    this.#inFlight.start(this.#context);
    try {
      const { headers } = this.#request;
      authorize(headers.authorization);
      checkTimeout(headers["connect-timeout-ms"]);
      if (Number(headers["content-length"] ?? 0) > requestLimitBytes)
        throw messageTooLarge(requestLimitBytes);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    this.#response.on("close", this.#onClose);
    this.#readBody();
  }

  #readBody(): void {
    // Nearly every body arrives in one piece.
    let body: Buffer | undefined;
    let pieces: Buffer[] | undefined;
    let sizeBytes = 0;
    this.#request.on("data", (piece: Buffer) => {
      sizeBytes += piece.length;
      if (sizeBytes > requestLimitBytes) {
        this.#refuse(messageTooLarge(requestLimitBytes));
      } else if (body === undefined) body = piece;
      else if (pieces === undefined) pieces = [body, piece];
      else pieces.push(piece);
    });
    this.#request.on("end", () => {
      if (this.#answered) return;
      this.#invoke(pieces === undefined ? (body ?? new Uint8Array()) : Buffer.concat(pieces));
    });
  }

  #invoke(body: Uint8Array): void {
    try {
      const message = decode(this.#spec.method, body);
      const span = this.#span;
      const handle = () => this.#spec.impl(message, this.#context);
      const result = runForCall(
        this.#context,
        span === undefined ? handle : () => runForSpan(span, handle),
      );
      if (result instanceof Promise) this.#wait(result);
      else this.#succeed(result);
    } catch (error) {
      this.#fail(error);
    }
  }

  #wait(result: Promise<MessageInitShape<DescMethodUnary["output"]>>): void {
    const remainingMs = Math.max(0, this.#deadlineMs - Date.now());
    this.#timer = setTimeout(this.#onDeadline, Math.min(remainingMs, maxTimeoutMs));
    result.then(this.#succeed, this.#fail);
  }

  readonly #succeed = (output: MessageInitShape<DescMethodUnary["output"]>): void => {
    if (this.#answered) return;
    try {
      const body = toBytes(this.#spec.method.output, output);
      if (body.length > answerLimitBytes) throw messageTooLarge(answerLimitBytes);
      this.#write(200, contentTypeProto, body, this.#metadata());
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#end();
  };

  readonly #fail = (error: unknown): void => {
    if (this.#answered) return;
    const answer = this.#observer.fail(
      this.#context.abortReason ?? error,
      this.#context,
      this.#span,
    );
    if (!answer.isWireError) {
      for (const [name, value] of answer.metadata) this.#context.responseHeader.append(name, value);
    }
    const body = errorToJsonBytes(answer, undefined);
    const status = codeToHttpStatus(answer.code);
    try {
      this.#write(status, "application/json", body, this.#metadata());
    } catch {
      // The handler has set a header that HTTP cannot carry.
      this.#write(status, "application/json", body, []);
    }
    this.#end(answer);
  };

  #refuse(error: unknown): void {
    this.#fail(error);
    discardRest(this.#request);
  }

  readonly #onDeadline = (): void => {
    this.#context.abort(deadlineExceeded());
    this.#fail(this.#context.abortReason);
  };

  readonly #onClose = (): void => {
    if (this.#answered) return;
    this.#context.abort(canceled());
    this.#answered = true;
    this.#end(this.#context.abortReason);
  };

  /** The headers and trailers that the handler has set: name, value, name, value. */
  #metadata(): string[] {
    const { setHeader, setTrailer } = this.#context;
    const metadata: string[] = [];
    if (setHeader !== undefined) for (const [name, value] of setHeader) metadata.push(name, value);
    if (setTrailer !== undefined) {
      for (const [name, value] of setTrailer) metadata.push(`trailer-${name}`, value);
    }
    return metadata;
  }

  /** @throws before anything is sent, if a header cannot be. */
  #write(status: number, contentType: string, body: Uint8Array, metadata: string[]): void {
    const headers = ["content-type", contentType, "content-length", String(body.length)];
    this.#response.writeHead(status, metadata.length === 0 ? headers : headers.concat(metadata));
    this.#answered = true;
    this.#response.end(body);
  }

  #end(error?: ConnectError): void {
    clearTimeout(this.#timer);
    this.#context.finish();
    this.#inFlight.end(this.#context);
    this.#observer.end(this.#context, this.#startedAt, this.#span, error);
  }
}

function decode(method: DescMethodUnary, body: Uint8Array) {
  try {
    return fromBinary(method.input, body);
  } catch (error) {
    throw invalidMessage(error);
  }
}

function checkTimeout(value: string | string[] | undefined): void {
  if (value === undefined || (typeof value === "string" && /^\d{1,10}$/.test(value))) return;
  throw new ConnectError("connect-timeout-ms must be up to 10 digits", Code.InvalidArgument);
}
